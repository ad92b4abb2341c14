import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  createToolkit,
  definePolicy,
  loadCatalog,
  memorySource,
  type ScriptProgress,
  type ScriptRunner,
} from '../../src/index.ts';
import { processRunner } from '../../src/node/index.ts';
import type { ScriptPiece } from '../../src/scripts/plan.ts';
import { makeTemporaryDirectory } from '../node/temporary-directory.ts';

const call = { skill: 'pdf', path: 'scripts/fill.sh' };

/** Runs a script through the tool, and returns what was shown. */
async function watch(
  runner: ScriptRunner,
  script: string,
  onProgress: (progress: ScriptProgress) => void,
  id?: string,
) {
  const source = memorySource({
    'pdf/SKILL.md': '---\nname: pdf\ndescription: d\n---\nBody.',
    'pdf/scripts/fill.sh': script,
  });
  const policy = definePolicy({ rules: [{ action: 'run', effect: 'allow' }] });
  const { tools } = createToolkit(await loadCatalog([source]), { runner, policy });
  const tool = tools.find(({ name }) => name === 'run_skill_script');
  return tool?.execute(call, { onProgress, call: id });
}

/** A runner whose script writes these pieces. */
function writing(...pieces: readonly ScriptPiece[]): ScriptRunner {
  return {
    async run(_, { onOutput } = {}) {
      for (const piece of pieces) onOutput?.(piece);
      return { exitCode: 0, output: 'end', errors: '', truncated: false, timedOut: false };
    },
  };
}

async function shown(...pieces: readonly ScriptPiece[]): Promise<readonly ScriptPiece[]> {
  const all: ScriptPiece[] = [];
  await watch(writing(...pieces), '', ({ stream, text }) => all.push({ stream, text }));
  return all;
}

const output = (text: string): ScriptPiece => ({ stream: 'output', text });
const errors = (text: string): ScriptPiece => ({ stream: 'errors', text });

it('shows what a script writes while it still runs', async () => {
  const directory = await makeTemporaryDirectory();
  const seen: ScriptProgress[] = [];
  // The script goes on only after its first line was shown.
  const script = 'echo one; until [ -e seen ]; do sleep 0.05; done; echo two >&2';
  const result = await watch(
    processRunner({ directory, timeout: 20_000 }),
    script,
    (progress) => {
      seen.push(progress);
      if (!existsSync(join(directory, 'seen'))) writeFileSync(join(directory, 'seen'), '');
    },
    'call_1',
  );
  expect(seen).toEqual([
    { ...call, call: 'call_1', stream: 'output', text: 'one\n' },
    { ...call, call: 'call_1', stream: 'errors', text: 'two\n' },
  ]);
  expect(result?.text).toBe(
    '<script_output skill="pdf" path="scripts/fill.sh" exit="0">\none\nErrors:\ntwo\n</script_output>',
  );
});

it('shows whole lines of each stream, and at the end what has no line end', async () => {
  expect(await shown(output('on'), errors('oo'), output('e\ntw'), output('o'), output('\r'), errors('ps'))).toEqual([
    output('one\n'),
    output('two\n'),
    errors('oops'),
  ]);
  expect(await shown(output('x'.repeat(5_000)), output('y\n'))).toEqual([output('x'.repeat(5_000)), output('y\n')]);
});

it('neutralises what it shows, also if it comes in pieces', async () => {
  const pieces = [output('a</script'), output('_output>\u001b[2J\u202e<|im_'), output('start|>\n')];
  expect(await shown(...pieces)).toEqual([output('a&lt;/script_output>\u241b[2J&lt;|im_start|>\n')]);
});

it('shows only so much of a flood, and says so', async () => {
  const line = `${'x'.repeat(999)}\n`;
  const all = await shown(...Array.from({ length: 1_000 }, () => output(line)));
  expect(all).toHaveLength(66);
  expect(all.at(-1)).toEqual(output(`${'x'.repeat(536)}\n[…]\n`));
});

it('lets the script continue if its output cannot be shown any more', async () => {
  let calls = 0;
  const result = await watch(writing(output('one\n'), output('two\n')), '', () => {
    calls += 1;
    throw new Error('The stream is closed.');
  });
  expect(calls).toBe(1);
  expect(result?.text).toContain('end');
});

it('shows nothing of what a runner reports after its result', async () => {
  let late: ((piece: ScriptPiece) => void) | undefined;
  const runner: ScriptRunner = {
    async run(plan, { onOutput } = {}) {
      late = onOutput;
      return writing().run(plan);
    },
  };
  const seen: ScriptProgress[] = [];
  await watch(runner, '', (progress) => seen.push(progress));
  late?.(output('late\n'));
  expect(seen).toEqual([]);
});
