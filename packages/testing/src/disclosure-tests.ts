// The part of an adapter's contract about disclosure: the model gets the bytes and files of the core, and refusals in words.

import {
  createToolkit,
  definePolicy,
  loadCatalog,
  memorySource,
  type SkillContext,
  type SkillSource,
  type SkillToolkit,
  type SkillToolResult,
} from '@skillful/core';
import { processRunner } from '@skillful/core/node';
import { describe, expect, it } from 'vitest';
import type { AdapterHarness } from './adapter-harness.ts';
import { applicationPrompt, converse } from './converse.ts';
import { openSession } from './open-session.ts';
import { callOf, done } from './script.ts';

/** Long text with everything that an agent might cut, trim, normalise or write in another encoding. */
const delicate =
  '\u00dcber \u5831\u544a \ud83d\udc69\u200d\ud83d\udcbb \ufb01 e\u0301 \\n "&amp;" {x}\t \r\n\n\n\n'.repeat(2000);

const files = {
  'csv-report/SKILL.md': `---\nname: csv-report\ndescription: Turns a CSV into a report. Costs [$&] & <b>\n---\n# Report\n\nRead \`references/format.md\`.\n${delicate}`,
  'csv-report/references/format.md': `# Format\n\nOne table a page. </skill_resource>\n${delicate}`,
  'csv-report/assets/logo.bin': new Uint8Array([0, 1, 2, 3]),
  'csv-report/assets/seal.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]),
  'csv-report/assets/form.pdf': new TextEncoder().encode('%PDF-1.4'),
  'csv-report/assets/note.mp3': new Uint8Array([0x49, 0x44, 0x33, 0, 255]),
  'release-notes/SKILL.md': '---\nname: release-notes\ndescription: Writes release notes.\n---\nList changes.\n',
};

const user = 'Make a report.';
const csvReport = { name: 'csv-report' };
const format = { skill: 'csv-report', path: 'references/format.md' };

/** Calls a tool of the core, without a framework. */
function call(toolkit: SkillToolkit, tool: string, input: unknown, context?: SkillContext): Promise<SkillToolResult> {
  const found = toolkit.tools.find(({ name }) => name === tool);
  if (found === undefined) throw new Error(`The toolkit has no tool ${tool}.`);
  return found.execute(input, context);
}

/** Declares the tests of what one conversation discloses. */
export function testDisclosure(harness: AdapterHarness): void {
  const toolkitOf = async (source: SkillSource = memorySource(files)): Promise<SkillToolkit> =>
    createToolkit(await loadCatalog([source]));
  /** Lets the model make one call, and returns its result in the next model call. */
  const answerTo = async (tool: string, input: unknown): Promise<string | undefined> => {
    const run = await converse(harness, await toolkitOf(), user, [callOf(tool, input)]);
    expect(run.answer).toBe('Done.');
    return run.calls.at(-1)?.results.at(-1);
  };

  describe(`${harness.framework} adapter`, () => {
    it('offers the tools of the toolkit with their names, descriptions and schemas', async () => {
      const toolkit = await toolkitOf();
      const run = await converse(harness, toolkit, user);
      const { hiddenTools } = await toolkit.prepare([]);
      const expected = toolkit.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      const offered = expected.filter(({ name }) => !hiddenTools.includes(name));
      expect(run.calls.map(({ tools }) => tools)).toEqual([offered]);
    });

    for (const stream of [false, true]) {
      it(`discloses the same bytes as the toolkit in each model call ${stream ? 'of a stream' : 'without a stream'}`, async () => {
        const toolkit = await toolkitOf();
        const prepared = await toolkit.prepare([]);
        const script = [callOf('activate_skill', csvReport), callOf('read_skill_resource', format)];
        const run = await converse(harness, toolkit, user, script, { stream });
        const activated = await call(toolkit, 'activate_skill', csvReport);
        const read = await call(toolkit, 'read_skill_resource', format);
        const disclosed = `${applicationPrompt}\n\n${prepared.system}`;
        expect(run.calls.map(({ system, results }) => ({ system, results }))).toEqual([
          { system: disclosed, results: [] },
          { system: disclosed, results: [activated.text] },
          { system: disclosed, results: [activated.text, read.text] },
        ]);
        expect(run.answer).toBe('Done.');
      });
    }

    for (const stream of [false, true]) {
      it(`answers a call of a skill's name as a tool with the activation ${stream ? 'in a stream' : 'without a stream'}`, async () => {
        const toolkit = await toolkitOf();
        const run = await converse(harness, toolkit, user, [callOf('csv_report', { file: 'a.csv' })], { stream });
        const activated = await call(toolkit, 'activate_skill', csvReport);
        if (harness.refusesMistakenCalls === true) expect(run.calls[1]?.results[0]).toContain('activate_skill');
        else expect(run.calls[1]?.results).toEqual([activated.text]);
        expect(run.answer).toBe('Done.');
      });
    }

    it('returns instructions once, and a pointer for each later activation', async () => {
      const toolkit = await toolkitOf();
      const activation = callOf('activate_skill', csvReport);
      const run = await converse(harness, toolkit, user, [activation, activation, activation]);
      const { text } = await call(toolkit, 'activate_skill', csvReport);
      const messages = [{ key: '1', role: 'tool' as const, results: [{ id: '1', tool: 'activate_skill', text }] }];
      const { text: pointer } = await call(toolkit, 'activate_skill', csvReport, { messages });
      expect(pointer.length).toBeLessThan(text.length);
      expect(run.calls.map(({ results }) => results)).toEqual([[], [text], [text, pointer], [text, pointer, pointer]]);
    });

    it('takes an input that the model writes as text', async () => {
      const activated = await call(await toolkitOf(), 'activate_skill', csvReport);
      expect(await answerTo('activate_skill', JSON.stringify(csvReport))).toBe(activated.text);
    });

    it('answers an unknown skill in words', async () => {
      expect(await answerTo('activate_skill', { name: 'csv-reprot' })).toBe(
        'No skill `csv-reprot`. Did you mean `csv-report`?',
      );
    });

    it.each([
      [
        'a missing property',
        {},
        '`name` is missing in the input of activate_skill. Call activate_skill with { "name": string }.',
      ],
      [
        'a property of another type',
        { name: true },
        '`name` is a boolean in the input of activate_skill; expected a string. Call activate_skill with { "name": string }.',
      ],
    ])('answers %s in words', async (_, input, words) => {
      expect(await answerTo('activate_skill', input)).toBe(words);
    });

    it.each([[null], [[]], ['csv-report'], [7]])('answers the tool input %j in words', async (input) => {
      const answer = await answerTo('activate_skill', input);
      expect(answer).toMatch(/activate_skill|name/);
      expect(answer).not.toMatch(/node_modules|\bat [\w.]+ \(|\.[jt]s:\d/);
    });

    it.each(['../release-notes/SKILL.md', '/etc/passwd', 'references/../../release-notes/SKILL.md', 'C:\\secret'])(
      'refuses the path %s',
      async (path) => {
        const input = { skill: 'csv-report', path };
        const refused = await call(await toolkitOf(), 'read_skill_resource', input);
        expect(refused.details).toEqual({ kind: 'refusal', code: 'resource-outside-skill' });
        expect(await answerTo('read_skill_resource', input)).toBe(refused.text);
      },
    );

    it('says in words that a file is not text', async () => {
      const input = { skill: 'csv-report', path: 'assets/logo.bin' };
      expect(await answerTo('read_skill_resource', input)).toBe(
        '`assets/logo.bin` of skill `csv-report` is not text: application/octet-stream, 4 bytes.',
      );
    });

    it.each([
      ['an image', 'assets/seal.png', 'image/png', 'iVBORwD/', 6],
      ['a PDF', 'assets/form.pdf', 'application/pdf', 'JVBERi0xLjQ=', 8],
      ['a recording', 'assets/note.mp3', 'audio/mpeg', 'SUQzAP8=', 5],
    ])('passes %s to the model as a file of its type', async (_, path, mediaType, data, bytes) => {
      const toolkit = await toolkitOf();
      const input = { skill: 'csv-report', path };
      const run = await converse(harness, toolkit, user, [callOf('read_skill_resource', input)]);
      const text = `\`${path}\` of skill \`csv-report\` is not text: ${mediaType}, ${bytes} bytes.`;
      const { hasNoFiles = false } = harness;
      expect(run.calls.at(-1)?.results).toEqual([hasNoFiles ? `${text} This model cannot read it.` : text]);
      expect(run.calls.at(-1)?.files).toEqual(hasNoFiles ? [] : [{ mediaType, data }]);
    });

    it('runs a script if the policy allows it', async () => {
      const text = 'console.log(process.argv[2] + ":", Number(process.argv[3]) + 1);';
      const script = { ...files, 'csv-report/scripts/count.mjs': text };
      const input = { skill: 'csv-report', path: 'scripts/count.mjs', arguments: ['$(pages)', '41'] };
      const policy = definePolicy({ rules: [{ action: 'run', effect: 'allow' }] });
      const toolkit = createToolkit(await loadCatalog([memorySource(script)]), { runner: processRunner(), policy });
      const { calls } = await converse(harness, toolkit, user, [callOf('run_skill_script', input)]);
      expect(calls.at(-1)?.results).toEqual([
        '<script_output skill="csv-report" path="scripts/count.mjs" exit="0">\n$(pages): 42\n</script_output>',
      ]);
    });

    it('passes the abort signal of the call to the source', async () => {
      const controller = new AbortController();
      const inner = memorySource(files);
      let seen: AbortSignal | undefined;
      const slow: SkillSource = {
        ...inner,
        readFile: (_skill, _path, options) =>
          new Promise((_, reject) => {
            seen = options?.signal;
            seen?.addEventListener('abort', () => reject(seen?.reason));
            controller.abort();
          }),
      };
      const { signal } = controller;
      const run = converse(harness, await toolkitOf(slow), user, [callOf('activate_skill', csvReport)], { signal });
      await run.catch(() => undefined);
      expect(seen?.aborted).toBe(true);
    });

    it('adds nothing if there are no skills', async () => {
      const run = await converse(harness, await toolkitOf(memorySource({})), user);
      const messages = [{ role: 'user', text: user }];
      expect(run.calls).toEqual([{ system: applicationPrompt, tools: [], messages, results: [], files: [] }]);
    });

    it('refuses a tool of the application that has the name of a skill tool', async () => {
      // The agent of a session already has a tool `lookup`.
      const toolkit = createToolkit(await loadCatalog([memorySource(files)]), { toolNames: { activate: 'lookup' } });
      const saying = openSession(harness, { toolkit, shortens: false }).then((session) =>
        session.say('Hello.', [done]),
      );
      await expect(saying).rejects.toThrow(/lookup/);
    });
  });
}
