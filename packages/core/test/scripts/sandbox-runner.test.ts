import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bash } from 'just-bash';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  justBashSandbox,
  loadCatalog,
  loadScriptPlan,
  memorySource,
  type ScriptSandbox,
  sandboxRunner,
} from '../../src/index.ts';
import type { ScriptCall } from '../../src/scripts/plan.ts';

async function planOf(files: Readonly<Record<string, string | Uint8Array>>, call: ScriptCall) {
  const source = memorySource({ 'x/SKILL.md': '---\nname: x\ndescription: d\n---\nBody.', ...files });
  const [skill] = (await loadCatalog([source])).skills;
  if (skill === undefined) throw new Error('no skill');
  return loadScriptPlan(skill, call);
}

const runner = sandboxRunner(() => justBashSandbox(new Bash()), { name: 'just-bash' });

/** Runs scripts with the programs of this machine. */
const realShell = sandboxRunner(
  () => ({
    run: ({ command }) =>
      new Promise((resolve, reject) => {
        const child = execFile('sh', ['-c', command], (_, stdout, stderr) => {
          resolve({ exitCode: child.exitCode ?? 1, stdout, stderr });
        });
        child.on('error', reject);
      }),
  }),
  { name: 'sh' },
);

async function run(script: string, call: Partial<ScriptCall> = {}, options: { readonly timeout?: number } = {}) {
  const plan = await planOf({ 'x/scripts/a.sh': script }, { path: 'scripts/a.sh', ...call });
  return sandboxRunner(() => justBashSandbox(new Bash()), { name: 'just-bash', ...options }).run(plan);
}

describe('sandboxRunner with just-bash', () => {
  it('passes arguments and input literally, and knows the skill', async () => {
    const hostile = `'; echo pwned; $(echo pwned) \`echo pwned\` | cat "\nnewline ä`;
    const result = await run('printf "%s|" "$1" "$2"; cat; cat "$SKILL_DIR/SKILL.md" | head -n 2', {
      arguments: [hostile, ''],
      input: 'in',
    });
    expect(result).toEqual({
      ...{ exitCode: 0, output: `${hostile}||in---\nname: x\n`, errors: '' },
      ...{ truncated: false, timedOut: false },
    });
  });

  it('writes every byte of every file, large ones too', async () => {
    const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256);
    const files = {
      'x/scripts/a.sh': 'sha256sum "$SKILL_DIR/data/my file.bin" | cut -c1-64',
      'x/data/my file.bin': bytes,
    };
    const { output } = await runner.run(await planOf(files, { path: 'scripts/a.sh' }));
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    expect(output.trim()).toBe(digest);
  });

  it('reaches neither files nor network nor programs nor variables of the host', async () => {
    const secret = join(tmpdir(), `skillful-secret-${process.pid}`);
    writeFileSync(secret, 'SECRET');
    onTestFinished(() => rmSync(secret));
    const server = createServer((_, response) => response.end('REACHED')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const { output, errors } = await run(
      [
        `cat ${secret} /etc/passwd /proc/self/environ`,
        `curl ${url}; wget ${url}; echo x > /dev/tcp/127.0.0.1/80`,
        'node -e 1; python3 -c 1; /bin/sh -c "id -u"; /usr/bin/env',
        `echo pwned > ${secret}; touch /tmp/skillful-pwned`,
      ].join('\n'),
    );
    server.close();
    expect(output + errors).not.toMatch(/SECRET|REACHED|root:/);
    expect(output).not.toContain(process.env.HOME ?? 'no home');
    expect([existsSync('/tmp/skillful-pwned'), readFileSync(secret, 'utf8')]).toEqual([false, 'SECRET']);
  });

  it('ends what takes too long, and what the caller aborts', async () => {
    expect(await run('sleep 100', {}, { timeout: 300 })).toMatchObject({ timedOut: true, output: '' });
    const controller = new AbortController();
    const running = runner.run(await planOf({ 'x/scripts/a.sh': 'sleep 100' }, { path: 'scripts/a.sh' }), {
      signal: controller.signal,
    });
    controller.abort(new Error('stop'));
    await expect(running).rejects.toThrow('stop');
  });

  it.each([
    ['the script', /a\.sh/],
    ['everything after it', /a\.sh|rm -rf/],
    ['the opening', undefined],
  ])('ends a run in time although %s hangs', async (_, hanging) => {
    const hang = new Promise<never>(() => {});
    const done = { exitCode: 0, stdout: '', stderr: '' };
    const sandbox: ScriptSandbox = {
      run: ({ command }) => (hanging?.test(command) && !command.includes('base64') ? hang : Promise.resolve(done)),
    };
    const stuck = sandboxRunner(() => (hanging === undefined ? hang : sandbox), { name: 'stuck', timeout: 50 });
    const plan = await planOf({ 'x/scripts/a.sh': 'true' }, { path: 'scripts/a.sh' });
    expect(await stuck.run(plan)).toMatchObject({ timedOut: true });
  });

  it('keeps what a script wrote before it took too long, if the sandbox tells it', async () => {
    const slow: ScriptSandbox = {
      run({ command, onOutput }) {
        if (!command.startsWith('cd ')) return Promise.resolve({ exitCode: 0, stdout: '', stderr: '' });
        for (let line = 1; line <= 100; line += 1) onOutput?.({ stream: 'output', text: `${line}\n` });
        onOutput?.({ stream: 'errors', text: 'waiting' });
        return new Promise(() => {});
      },
    };
    const plan = await planOf({ 'x/scripts/a.sh': 'true' }, { path: 'scripts/a.sh' });
    const result = await sandboxRunner(() => slow, { name: 'slow', timeout: 50, maxOutput: 20 }).run(plan);
    const output = '1\n2\n3\n4\n5\n\n[…]\n98\n99\n100\n';
    expect(result).toEqual({ output, errors: 'waiting', truncated: true, timedOut: true });
  });

  it('takes a timeout without end as one', async () => {
    expect(await run('echo done', {}, { timeout: Infinity })).toMatchObject({ output: 'done\n', timedOut: false });
  });

  it('keeps the beginning and the end of what is written', async () => {
    const plan = await planOf({ 'x/scripts/a.sh': 'echo first; seq 1 5000; echo last' }, { path: 'scripts/a.sh' });
    const small = sandboxRunner(() => justBashSandbox(new Bash()), { name: 'just-bash', maxOutput: 100 });
    const { output, truncated } = await small.run(plan);
    expect([truncated, output.length]).toEqual([true, 105]);
    expect(output).toMatch(/^first\n1\n[\s\S]*\n\[…\]\n[\s\S]*5000\nlast\n$/);
    const loud = await planOf({ 'x/scripts/a.sh': 'seq 1 5000 >&2' }, { path: 'scripts/a.sh' });
    const { errors, ...rest } = await small.run(loud);
    expect([errors.length, rest]).toEqual([105, { exitCode: 0, output: '', truncated: true, timedOut: false }]);
  });

  it.each(['#!/bin/sh', '#!/usr/bin/env bash', '#! /usr/bin/env -S bash'])(
    'runs what the first line names: %s',
    async (line) => {
      const plan = await planOf({ 'x/scripts/a': `${line}\necho done` }, { path: 'scripts/a' });
      expect((await runner.run(plan)).output).toBe('done\n');
    },
  );

  it('gives the program its options, and those of the first line', async () => {
    const commands: string[] = [];
    const sandbox: ScriptSandbox = {
      run: async ({ command }) => ({ exitCode: commands.push(command) * 0, stdout: '', stderr: '' }),
    };
    const line = '#!/usr/bin/env -S deno run --allow-read';
    const plan = await planOf({ 'x/scripts/a': line }, { path: 'scripts/a' });
    await sandboxRunner(() => sandbox, { name: 'x' }).run(plan);
    expect(commands.join('\n')).toContain(" 'deno' 'run' '--allow-read' '/tmp/");
    // Python writes at once, so that a script that takes too long has said how far it came.
    const python = await planOf({ 'x/scripts/a.py': 'print(1)' }, { path: 'scripts/a.py' });
    await sandboxRunner(() => sandbox, { name: 'x' }).run(python);
    expect(commands.join('\n')).toContain(" 'python3' '-u' '/tmp/");
  });

  it.each([
    ['#!/bin/bash -e', 1, ''],
    ['#!/usr/bin/env -S bash -e -o pipefail', 1, ''],
    ['#!/bin/sh -el', 1, ''],
    ['#!/usr/bin/env -S bash --norc -e', 1, ''],
    ['#!/bin/sh', 0, 'done a b 1\n'],
    ['#!/bin/sh -l', 0, 'done a b 1\n'],
  ])('gives a shell the options of the first line: %s', async (line, exitCode, output) => {
    // Many scripts call `main` only if they were not read by another one.
    const isRead = '[ -n "$BASH_VERSION" ] && (return 0 2> /dev/null)';
    const main = `main() { false; echo done "$1" $#; }; if ${isRead}; then :; else main "$@"; fi`;
    const plan = await planOf({ 'x/scripts/a': `${line}\n${main}` }, { path: 'scripts/a', arguments: ['a b'] });
    // The shell of just-bash takes none.
    expect(await runner.run(plan)).toMatchObject({ exitCode: 0, output: 'done a b 1\n', errors: '' });
    if (process.platform !== 'linux') return;
    expect(await realShell.run(plan)).toMatchObject({ exitCode, output, errors: '' });
  });

  it('stops the shell itself if the run is aborted', async () => {
    const controller = new AbortController();
    const sleeping = justBashSandbox(new Bash()).run({ command: 'sleep 100', abortSignal: controller.signal });
    controller.abort();
    await Promise.allSettled([sleeping]);
  });

  it('lets a script start another one of its skill', async () => {
    const files = { 'x/scripts/a.sh': '"$SKILL_DIR/scripts/b" 1', 'x/scripts/b': '#!/bin/sh\necho "b $1"' };
    const plan = await planOf(files, { path: 'scripts/a.sh' });
    expect(await runner.run(plan)).toMatchObject({ output: 'b 1\n', errors: '' });
  });

  it('refuses an argument that no program can be given', async () => {
    const why = '`scripts/a.sh` cannot be run: an argument contains NUL.';
    await expect(run('true', { arguments: ['a\0b'] })).rejects.toThrow(why);
  });

  it.each(['scripts/a.bat', 'scripts/a.CMD', 'scripts/a'])('refuses %s', async (path) => {
    const plan = await planOf({ [`x/${path}`]: 'true' }, { path });
    await expect(runner.run(plan)).rejects.toMatchObject({ code: 'script-unsupported' });
  });
});

describe('sandboxRunner with any sandbox', () => {
  it.runIf(process.platform === 'linux')(
    'writes large, many and empty files with commands that Linux takes',
    async () => {
      const many = Array.from({ length: 300 }, (_, n): [string, string] => [`x/many/${n}.txt`, 'y'.repeat(700)]);
      const files = {
        ...Object.fromEntries(many),
        'x/large.bin': new Uint8Array(400_000),
        'x/empty': '',
        'x/scripts/a.sh': 'cd "$SKILL_DIR"; cat many/* | wc -c; wc -c < large.bin; wc -c < empty',
      };
      const plan = await planOf(files, { path: 'scripts/a.sh' });
      const { output, errors } = await realShell.run(plan);
      expect([output.split(/\s+/), errors]).toEqual([['210000', '400000', '0', ''], '']);
    },
  );

  it('opens none for a run that is aborted already', async () => {
    const plan = await planOf({ 'x/scripts/a.sh': 'true' }, { path: 'scripts/a.sh' });
    let opened = 0;
    const counting = sandboxRunner(() => justBashSandbox(new Bash({ cwd: `/${++opened}` })), { name: 'x' });
    await expect(counting.run(plan, { signal: AbortSignal.abort(new Error('Stop.')) })).rejects.toThrow('Stop.');
    expect(opened).toBe(0);
  });

  it('deletes what it wrote, also if the script fails, and reports a sandbox that cannot be used', async () => {
    const bash = new Bash();
    const shared = sandboxRunner(() => justBashSandbox(bash), { name: 'just-bash' });
    const plan = await planOf({ 'x/scripts/a.sh': 'exit 3' }, { path: 'scripts/a.sh' });
    expect((await shared.run(plan)).exitCode).toBe(3);
    expect((await bash.exec('ls /tmp')).stdout).toBe('');
    const broken: ScriptSandbox = { run: async () => ({ exitCode: 1, stdout: '', stderr: 'disk full' }) };
    await expect(sandboxRunner(() => broken, { name: 'x' }).run(plan)).rejects.toMatchObject({
      message: 'The sandbox could not be prepared.',
      cause: 'disk full',
    });
  });

  const done = { exitCode: 0, stdout: '', stderr: '' };
  const gone = new Error('The session has ended.');

  it.each([
    ['cannot be opened', () => Promise.reject(gone)],
    [
      'cannot be opened at once',
      () => {
        throw gone;
      },
    ],
    ['rejects', () => ({ run: () => Promise.reject(gone) })],
    [
      'throws',
      () => ({
        run: () => {
          throw gone;
        },
      }),
    ],
  ])('says so if a sandbox %s', async (_, open: () => ScriptSandbox | Promise<ScriptSandbox>) => {
    const plan = await planOf({ 'x/scripts/a.sh': 'true' }, { path: 'scripts/a.sh' });
    await expect(sandboxRunner(open, { name: 'x' }).run(plan)).rejects.toMatchObject({
      code: 'script-unsupported',
      message: 'The sandbox failed.',
      cause: gone,
    });
  });

  it('returns what a script wrote, though the sandbox is gone when its files are to be deleted', async () => {
    const plan = await planOf({ 'x/scripts/a.sh': 'true' }, { path: 'scripts/a.sh' });
    const closing: ScriptSandbox = {
      run({ command }) {
        if (command.startsWith('rm')) throw gone;
        return Promise.resolve({ ...done, stdout: 'written' });
      },
    };
    expect((await sandboxRunner(() => closing, { name: 'x' }).run(plan)).output).toBe('written');
  });

  it('rejects with what a listener throws, whatever the sandbox makes of it', async () => {
    const plan = await planOf({ 'x/scripts/a.sh': 'true' }, { path: 'scripts/a.sh' });
    const wrapping: ScriptSandbox = {
      async run({ onOutput }) {
        try {
          onOutput?.({ stream: 'output', text: 'x' });
        } catch {
          throw gone;
        }
        return done;
      },
    };
    const refusal = new Error('full');
    const onOutput = () => {
      throw refusal;
    };
    await expect(sandboxRunner(() => wrapping, { name: 'x' }).run(plan, { onOutput })).rejects.toBe(refusal);
  });
});

it('refuses an option that it does not have', () => {
  const options = { name: 'sandbox', timout: 5 };
  expect(() => sandboxRunner(() => justBashSandbox(new Bash()), options)).toThrow(
    expect.objectContaining({ code: 'options-invalid' }),
  );
});
