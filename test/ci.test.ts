// Proves that the action, the pre-commit hook and the editor task do what docs/ci.md and docs/editors.md say.

import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readDocument } from './documents.ts';
import { type Finished, run, runWell } from './run.ts';
import { temporaryDirectory } from './temporary.ts';
import { root } from './workspace.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly files: string;
  readonly pass_filenames: boolean;
  readonly require_serial: boolean;
}

const action = readYaml('action.yml') as Action;
const [hook] = readYaml('.pre-commit-hooks.yaml') as readonly Hook[];
const [step] = action.runs.steps;
if (hook === undefined || step?.run === undefined) throw new Error('There is no hook, or no step with a script.');
const script = step.run;

const binary = join(root, 'packages/cli/dist/bin.js');
const good = '---\nname: good\ndescription: Reads files. Use for files.\n---\nRead.\n';
const bad = '---\nname: Bad\ndescription: Reads files. Use for files.\n---\nRead.\n';

/** What a matcher has to find in a directory with a bad skill and a file with the wrong name. */
const problems = [
  { file: 'Bad/SKILL.md', line: '2', severity: 'error', code: 'name-uppercase' },
  { file: 'case/skill.md', line: undefined, severity: 'error', code: 'skill-file-missing' },
  { file: 'case/skill.md', line: undefined, severity: 'warning', code: 'skill-file-case' },
];

describe('the action', () => {
  it('is one step in bash whose script contains no expression', () => {
    expect({ using: action.runs.using, steps: action.runs.steps.length, shell: step.shell }).toEqual({
      using: 'composite',
      steps: 1,
      shell: 'bash',
    });
    expect(script).not.toContain('${{');
  });

  it('accepts good skills with its defaults', async () => {
    const directory = repository({ '.claude/skills/good/SKILL.md': good });
    const { code, stdout } = await runAction(directory, {});
    expect({ code, last: stdout.trim().split('\n').at(-1) }).toEqual({
      code: 0,
      last: '1 skill checked with the strict profile: 1 ok, 0 invalid.',
    });
  });

  it('fails for a bad skill, and still writes the log', async () => {
    const directory = repository({ 'a b/good/SKILL.md': good, 'c/Bad/SKILL.md': bad });
    const inputs = { paths: 'a b\nc\n\n', 'sarif-file': 'reports/x/skills.sarif', profile: 'portable' };
    const { code, stdout } = await runAction(directory, inputs);
    const log = JSON.parse(readFileSync(join(directory, 'reports/x/skills.sarif'), 'utf8'));
    expect(code).toBe(1);
    expect(stdout.split('\n').filter((line) => line.startsWith('::'))).toEqual([
      `::add-matcher::${root}/problem-matcher.json`,
      expect.stringMatching(
        /^::error file=c\/Bad\/SKILL\.md,line=2,col=7,title=name-uppercase::c\/Bad\/SKILL\.md:2:7: The name `Bad` has /u,
      ),
    ]);
    expect(stdout).toContain('2 skills checked with the portable profile: 1 ok, 1 invalid.');
    expect(log.version).toBe('2.1.0');
    expect(log.runs[0].results[0]).toMatchObject({
      ruleId: 'name-uppercase',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'c/Bad/SKILL.md' }, region: { startLine: 2 } } }],
    });
  });

  it('takes patterns, paths with spaces, and paths that look like patterns', async () => {
    const directory = repository({
      'packages/a b/skills/good/SKILL.md': good,
      'packages/c/deep/skills/good/SKILL.md': good,
      'x[1]/good/SKILL.md': good,
    });
    const { code, stdout } = await runAction(directory, { paths: 'packages/*/skills\npackages/**/deep\nx[1]\n' });
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 skills checked with the strict profile: 3 ok')]);
    const none = await runAction(directory, { paths: 'nothing/*' });
    expect([none.code, none.stderr.includes('`nothing/*` does not exist')]).toEqual([2, true]);
  });

  it('writes no log after wrong usage, and keeps an older one', async () => {
    const directory = repository({ 'good/SKILL.md': good, 'old.sarif': 'old' });
    const wrong = await runAction(directory, { profile: 'stern', 'sarif-file': 'skills.sarif' });
    await runAction(directory, { profile: 'stern', 'sarif-file': 'old.sarif' });
    expect([
      wrong.code,
      existsSync(join(directory, 'skills.sarif')),
      readFileSync(join(directory, 'old.sarif'), 'utf8'),
    ]).toEqual([2, false, 'old']);
  });

  it('checks only what is new, if it is told so', async () => {
    const directory = repository({ 'old/Bad/SKILL.md': bad });
    const known = await run(process.execPath, [binary, 'validate', '.', '--json'], directory);
    writeFileSync(join(directory, 'known.json'), known.stdout);
    expect((await runAction(directory, { baseline: 'known.json' })).code).toBe(0);
    const git = (...words: readonly string[]) => runWell('git', words, directory);
    await git('init', '--quiet');
    await git('add', '.');
    await git('-c', 'user.name=a', '-c', 'user.email=a', 'commit', '--quiet', '--message', 'begin');
    expect((await runAction(directory, { changed: 'HEAD' })).code).toBe(0);
    mkdirSync(join(directory, 'Worse'));
    writeFileSync(join(directory, 'Worse/SKILL.md'), bad.replace('Bad', 'Worse'));
    const changed = await runAction(directory, { changed: 'HEAD', 'sarif-file': 'skills.sarif' });
    expect([changed.code, changed.stdout.match(/file=[^,]+/gu)]).toEqual([1, ['file=Worse/SKILL.md']]);
    expect((await runAction(directory, { baseline: 'known.json' })).code).toBe(1);
    expect((await runAction(directory, { changed: '$(touch owned)' })).code).toBe(2);
    expect(existsSync(join(directory, 'owned'))).toBe(false);
  });

  it('registers a matcher that fits what the command prints, and the one of the editors', async () => {
    const { problemMatcher } = readYaml('problem-matcher.json') as {
      readonly problemMatcher: readonly { readonly pattern: readonly ProblemPattern[] }[];
    };
    const patterns = problemMatcher.flatMap(({ pattern }) => pattern);
    expect(await findProblems(patterns)).toEqual(problems);
  });

  it('says what is wrong with its inputs, and runs none of them as a command', async () => {
    const directory = repository({ 'good/SKILL.md': good });
    const missing = await runAction(directory, { paths: 'nowhere', 'sarif-file': 'skills.sarif' });
    const hostile = await runAction(directory, { paths: '$(touch owned)\n--help', profile: 'x`touch owned`' });
    expect([missing.code, missing.stderr.includes('`nowhere` does not exist')]).toEqual([2, true]);
    expect(existsSync(join(directory, 'skills.sarif'))).toBe(false);
    expect([hostile.code, existsSync(join(directory, 'owned'))]).toEqual([2, false]);
  });

  it('runs no code of the repository, which anyone can change with a pull request', async () => {
    const directory = repository({
      'good/SKILL.md': good,
      '.npmrc': 'script-shell=./owned.sh\n',
      'owned.sh': '#!/bin/sh\ntouch owned\nexec /bin/sh "$@"\n',
      'elsewhere/kept': 'kept',
    });
    symlinkSync('elsewhere/kept', join(directory, 'skills.sarif'));
    const command = repository({
      'package.json': '{ "name": "@skillful/cli", "version": "1.0.0", "bin": { "skillful": "bin.js" } }',
      'bin.js': '#!/usr/bin/env node\nconsole.log(process.cwd());\n',
    });
    for (const file of [join(directory, 'owned.sh'), join(command, 'bin.js')]) chmodSync(file, 0o755);
    const variables = variablesFor({ version: `file:${command}`, 'sarif-file': 'skills.sarif' });
    const npm = { npm_config_offline: 'true', npm_config_cache: temporaryDirectory() };
    const finished = await runWith({ ...variables, ...npm }, [...bash, script], directory);
    expect([finished.code, finished.stdout.trim().split('\n').at(-1)]).toEqual([0, realpathSync(directory)]);
    expect(existsSync(join(directory, 'owned'))).toBe(false);
    expect(readFileSync(join(directory, 'elsewhere/kept'), 'utf8')).toBe('kept');
  });

  it('is used in the documents with inputs that it has', () => {
    const workflows = yamlBlocks('docs/ci.md').filter((block) => 'jobs' in block) as readonly {
      readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
    }[];
    const steps = workflows.flatMap(({ jobs }) => Object.values(jobs).flatMap((job) => job.steps));
    const used = steps.filter(({ uses }) => uses?.startsWith('skillful/'));
    expect(used.length).toBe(1);
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(used[0]?.with ?? {})));
    const rows = [...readDocument('docs/ci.md').matchAll(/^\| `([a-z-]+)` \|/gmu)].map((row) => row[1]);
    expect(rows).toEqual(Object.keys(action.inputs));
  });
});

describe('the pre-commit hook', () => {
  it('is for files called SKILL.md, also in other letters, from which no skill is loaded', () => {
    const paths = ['SKILL.md', 'a/SKILL.md', '.claude/skills/b/SKILL.md', 'a/skill.md', 'a/Skill.md', 'a/SKILL.MD'];
    const others = ['NOT_SKILL.md', 'SKILL.md.txt', 'a/skills.md', 'skill/a.md'];
    expect([...paths, ...others].filter((path) => new RegExp(hook.files).test(path))).toEqual(paths);
    expect([hook.id, hook.language, hook.pass_filenames, hook.require_serial]).toEqual([
      'skillful-validate',
      'system',
      true,
      true,
    ]);
  });

  it.each([
    ['passes for good skills', ['good/SKILL.md', '.claude/skills/good/SKILL.md'], 0],
    ['fails if one is bad', ['good/SKILL.md', 'Bad/SKILL.md'], 1],
  ])('%s', async (_title, files, code) => {
    const directory = repository({
      'good/SKILL.md': good,
      '.claude/skills/good/SKILL.md': good,
      'Bad/SKILL.md': bad,
    });
    const finished = await runWithNpx('@skillful/cli', [...hook.entry.split(' '), ...files], directory, {});
    expect({ code: finished.code, answers: finished.stdout.match(/^(?:ok|invalid) .*SKILL\.md$/gmu)?.length }).toEqual({
      code,
      answers: files.length,
    });
  });
});

describe('the task for an editor', () => {
  it('matches each problem that the command prints', async () => {
    const block = /```json\n(\{\n {2}"version".*?)```/su.exec(readDocument('docs/editors.md'))?.[1] ?? '';
    const { tasks } = JSON.parse(block) as {
      readonly tasks: readonly { readonly problemMatcher: readonly { readonly pattern: ProblemPattern }[] }[];
    };
    const patterns = tasks.flatMap(({ problemMatcher }) => problemMatcher.map(({ pattern }) => pattern));
    expect(await findProblems(patterns)).toEqual(problems);
  });
});

/** The part of a VS Code pattern that these tests use: a regular expression, and the meaning of its groups. */
interface ProblemPattern {
  readonly regexp: string;
  readonly file: number;
  readonly line?: number;
  readonly severity: number;
  readonly code: number;
}

/** Validates a bad skill and a file with the wrong name. Returns what the patterns find in the output. */
async function findProblems(patterns: readonly ProblemPattern[]): Promise<readonly object[]> {
  const directory = repository({ 'Bad/SKILL.md': bad, 'case/skill.md': good });
  const command = ['npx', '--yes', '@skillful/cli', 'validate', '.'];
  const { stdout } = await runWithNpx('@skillful/cli', command, directory, {});
  return stdout.split('\n').flatMap((line) => patterns.flatMap((pattern) => readProblem(pattern, line)));
}

function readProblem({ regexp, file, line, severity, code }: ProblemPattern, text: string): readonly object[] {
  const match = new RegExp(regexp, 'u').exec(text);
  if (match === null) return [];
  return [
    { file: match[file], line: line === undefined ? line : match[line], severity: match[severity], code: match[code] },
  ];
}

function readYaml(path: string): unknown {
  return parse(readFileSync(join(root, path), 'utf8'));
}

function yamlBlocks(document: string): readonly object[] {
  return [...readDocument(document).matchAll(/```yaml\n(.*?)```/gsu)].map((match) => parse(match[1] ?? '') as object);
}

/** Makes a folder with some files, in place of a repository. */
function repository(files: Readonly<Record<string, string>>): string {
  const directory = temporaryDirectory();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

/** Runs the action's script as a runner does, with its inputs as variables. */
function runAction(directory: string, inputs: Readonly<Record<string, string>>): Promise<Finished> {
  return runWithNpx('@skillful/cli@latest', [...bash, script], directory, variablesFor(inputs));
}

const bash = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'];

/** Returns the variables of the action's step. */
function variablesFor(inputs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const variables = Object.entries(step?.env ?? {}).map(([name, expression]) => {
    if (/^\$\{\{ github\.action_path \}\}$/u.test(expression)) return [name, root];
    const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/u.exec(expression)?.[1] ?? '';
    return [name, inputs[input] ?? action.inputs[input]?.default ?? `no input: ${expression}`];
  });
  return { ...Object.fromEntries(variables), RUNNER_TEMP: temporaryDirectory() };
}

/** Runs a command with an `npx` that runs the command built in this workspace. */
function runWithNpx(
  name: string,
  command: readonly string[],
  directory: string,
  variables: Readonly<Record<string, string>>,
): Promise<Finished> {
  const programs = temporaryDirectory();
  writeFileSync(
    join(programs, 'npx'),
    `#!/bin/sh\n[ "$1" = --prefix ] && shift 2\n[ "$1 $2" = "--yes ${name}" ] || exit 97\nshift 2\nexec "${process.execPath}" "${binary}" "$@"\n`,
  );
  chmodSync(join(programs, 'npx'), 0o755);
  return runWith({ PATH: `${programs}:${process.env['PATH']}`, ...variables }, command, directory);
}

/** Runs a command with further variables. */
function runWith(
  variables: Readonly<Record<string, string>>,
  command: readonly string[],
  directory: string,
): Promise<Finished> {
  return run('env', [...Object.entries(variables).map(([key, value]) => `${key}=${value}`), ...command], directory);
}
