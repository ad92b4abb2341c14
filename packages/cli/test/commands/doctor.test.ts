// `skillful doctor`: why the model sees a skill or not.

import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace, type Place, skillText, writeTree } from '../command.ts';

interface Finding {
  readonly name: string;
  readonly location: string;
  readonly offered: boolean;
  readonly reason: string | null;
  readonly diagnostics: readonly { readonly code: string }[];
}

async function makeSkills(): Promise<Place> {
  const place = await makePlace();
  await writeTree(place.work, {
    '.agents/skills/pdf/SKILL.md': skillText('pdf'),
    '.agents/skills/bad/SKILL.md': 'No frontmatter.\n',
    '.agents/skills/gone': { link: 'nowhere' },
  });
  await writeTree(place.home, {
    '.agents/skills/pdf/SKILL.md': skillText('pdf'),
    '.agents/skills/mine/SKILL.md': '---\nname: mine\ndescription: For me.\ndisable-model-invocation: true\n---\nGo.\n',
  });
  return place;
}

describe('doctor', () => {
  it('has a reason for every folder that the model does not see', async () => {
    const { home, work, skillful } = await makeSkills();
    const { code, stdout } = await skillful('doctor', '--trust', '--json');
    const { skills } = JSON.parse(stdout) as { skills: readonly Finding[] };
    const brief = skills.map(({ name, location, offered, reason, diagnostics }) => {
      return [name, location, offered, reason, diagnostics.map((diagnostic) => diagnostic.code)];
    });
    const project = join(work, '.agents/skills');
    const user = join(home, '.agents/skills');
    expect({ code, brief }).toEqual({
      code: 1,
      brief: [
        ['bad', join(project, 'bad/SKILL.md'), false, expect.stringContaining('`---`'), ['frontmatter-missing']],
        ['gone', join(project, 'gone'), false, 'A link leads nowhere.', ['skill-broken-link']],
        ['mine', join(user, 'mine/SKILL.md'), false, expect.stringContaining('`disable-model-invocation`'), []],
        [
          'pdf',
          join(user, 'pdf/SKILL.md'),
          false,
          `\`pdf\` is shadowed by the skill of the same name at \`${join(project, 'pdf/SKILL.md')}\`.`,
          ['skill-shadowed'],
        ],
        ['pdf', join(project, 'pdf/SKILL.md'), true, null, []],
      ],
    });
  });

  it('explains a skill without a description by the name that its file gives it', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/notes/SKILL.md': '---\nname: meeting-notes\n---\nGo.\n' });
    const { code, stdout } = await skillful('doctor', 'meeting-notes', '--root', 's', '--json');
    const { skills } = JSON.parse(stdout) as { skills: readonly Finding[] };
    expect({ code, names: skills.map(({ name, reason }) => [name, reason]) }).toEqual({
      code: 1,
      names: [['meeting-notes', '`description` is missing.']],
    });
  });

  it('agrees with the prompt and the list that models get an internal skill of the project', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/own/SKILL.md': '---\nname: own\ndescription: For us.\nmetadata:\n  internal: "true"\n---\nGo.\n',
    });
    const { code, stdout } = await skillful('doctor', 'own', '--root', 's', '--json');
    const listed = JSON.parse((await skillful('list', '--root', 's', '--json')).stdout).skills;
    expect([code, JSON.parse(stdout).skills, listed, (await skillful('prompt', '--root', 's')).stdout]).toMatchObject([
      0,
      [{ offered: true, reason: null }],
      [{ modelInvocable: true, userInvocable: true }],
      expect.stringContaining('own: For us.'),
    ]);
  });

  it('agrees with the prompt, the list and the search that models get no internal skill of an npm package', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      '.git/HEAD': '',
      'package.json': '{ "dependencies": { "lint": "1" } }',
      'node_modules/lint/package.json': '{ "name": "lint", "version": "1.2.3" }',
      'node_modules/lint/skills/own/SKILL.md':
        '---\nname: own\ndescription: For us.\nmetadata:\n  internal: "true"\n---\nGo.\n',
    });
    const run = async (...args: readonly string[]) => {
      const { code, stdout } = await skillful(...args, '--packages', '--trust', '--json');
      return { code, ...JSON.parse(stdout) };
    };
    expect(await run('doctor', 'own')).toMatchObject({
      code: 1,
      skills: [{ offered: false, shown: null, reason: expect.stringContaining('`metadata.internal`') }],
    });
    expect(await run('list')).toMatchObject({ skills: [{ modelInvocable: false, userInvocable: true }] });
    expect((await run('prompt')).text).not.toContain('own');
    expect(await run('search', 'own')).toEqual({ code: 0 });
  });

  it('sorts the findings of a skill by their place', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': '---\nname: PDF\ndescription: Reads: PDFs.\n---\nGo.\n' });
    const { stdout } = await skillful('doctor', '--root', 's');
    expect(stdout.match(/(?<=SKILL\.md:)\d+:\d+/gu)).toEqual(['2:7', '2:7', '3:19']);
  });

  it('folds findings that repeat in one file, as `validate` does, but not in JSON', async () => {
    const { work, skillful } = await makePlace();
    const keys = Array.from({ length: 6 }, (_, n) => `  key-${n}: { a: b }\n`).join('');
    await writeTree(work, { 's/pdf/SKILL.md': `---\nname: pdf\ndescription: Reads.\nmetadata:\n${keys}---\nGo.\n` });
    const { stdout } = await skillful('doctor', '--root', 's');
    expect(stdout.match(/(?<=SKILL\.md:)\d+:.*/gu)).toHaveLength(4);
    expect(stdout).toContain('3 more of these, in lines 8, 9, 10. (metadata-nested)\n');
    const { skills } = JSON.parse((await skillful('doctor', '--root', 's', '--json')).stdout);
    expect(skills[0].diagnostics).toHaveLength(6);
  });

  it('says what the model does not see of an offered skill, and why', async () => {
    const { work, skillful } = await makePlace();
    const described = (name: string, words: number): string =>
      `---\nname: ${name}\ndescription: ${'word '.repeat(words).trim()}\n---\nGo.\n`;
    await writeTree(work, { 's/long/SKILL.md': described('long', 400), 's/short/SKILL.md': described('short', 4) });
    const few = await skillful('doctor', '--root', 's', '--json');
    const text = await skillful('doctor', '--root', 's', 'long');
    const many = Object.fromEntries(
      Array.from({ length: 900 }, (_, n) => `${'long-'.repeat(8)}${n}`).map((long) => [
        `m/${long}/SKILL.md`,
        described(long, 1),
      ]),
    );
    await writeTree(work, many);
    const crowded = await skillful('doctor', '--root', 'm', '--json');
    type Shown = { readonly showing: string; readonly tokens: number; readonly cut: string | null };
    const shownOf = ({ stdout }: { readonly stdout: string }): readonly Shown[] =>
      (JSON.parse(stdout) as { skills: readonly { shown: Shown }[] }).skills.map(({ shown }) => shown);
    expect(shownOf(few)).toEqual([
      { showing: 'full', tokens: expect.any(Number), cut: 'entry-limit' },
      { showing: 'full', tokens: expect.any(Number), cut: null },
    ]);
    expect(text.stdout).toContain('The model sees part of its description: it is too long for one entry.');
    expect(text.stdout).toMatch(/^1 skill folder, 1 offered to the model, 1 of them only in part\.$/mu);
    expect(new Set(shownOf(crowded).map(({ showing, cut }) => `${showing} ${cut}`))).toEqual(
      new Set(['name-only budget', 'deferred budget']),
    );
  });

  // B24 of the hostile cases; on a disk that does not tell cases apart the two cannot stand side by side.
  it.runIf(process.platform === 'linux')('names a file beside SKILL.md that others could read instead', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf/SKILL.md': skillText('pdf'), 's/pdf/skill.md': skillText('pdf') });
    const twin = ['skill-file-twin'];
    const doctor = await skillful('doctor', '--root', 's', '--json');
    const { skills } = JSON.parse(doctor.stdout) as { skills: readonly Finding[] };
    const validate = await skillful('validate', 's', '--json');
    const report = JSON.parse(validate.stdout) as { skills: readonly Finding[] };
    expect(skills.map(({ offered, diagnostics }) => [offered, diagnostics.map(({ code }) => code)])).toEqual([
      [true, twin],
    ]);
    expect(report.skills.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([twin]);
    expect([doctor.code, validate.code]).toEqual([0, 0]);
  });

  it('finds skills inside other skills, even inside rejected ones', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/outer/SKILL.md': skillText('outer'),
      's/outer/skills/inner/SKILL.md': skillText('inner'),
      's/bad/SKILL.md': 'No frontmatter.\n',
      's/bad/deep/er/SKILL.md': skillText('er'),
      's/outer/node_modules/x/SKILL.md': skillText('x'),
      's/outer/.hg/x/SKILL.md': skillText('x'),
      's/outer/link': { link: '../bad' },
    });
    const { code, stdout } = await skillful('doctor', '--root', 's', '--json');
    const { skills } = JSON.parse(stdout) as { skills: readonly Finding[] };
    const inside = (outer: string) => {
      return `This skill is inside the skill at \`${join(work, 's', outer, 'SKILL.md')}\`, so it is one of its files.`;
    };
    expect({ code, skills: skills.map(({ name, offered, reason }) => [name, offered, reason]) }).toEqual({
      code: 1,
      skills: [
        ['bad', false, expect.stringContaining('`---`')],
        ['er', false, inside('bad')],
        ['inner', false, inside('outer')],
        ['outer', true, null],
      ],
    });
    expect((await skillful('doctor', 'inner', '--root', 's')).code).toBe(1);
  });

  it('names skills beside the directory `skills` that is searched instead of its root', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'tools/skills/pdf/SKILL.md': skillText('pdf'), 'tools/csv/SKILL.md': skillText('csv') });
    const { code, stdout } = await skillful('doctor', '--root', 'tools', '--json');
    const { skills } = JSON.parse(stdout) as { skills: readonly Finding[] };
    const reason =
      "The root's `skills` directory is searched instead of the root, so this skill next to it is not found.";
    expect([
      code,
      ...skills.map((finding) => [finding.name, finding.location, finding.offered, finding.reason]),
    ]).toEqual([
      0,
      ['csv', join(work, 'tools/csv/SKILL.md'), false, reason],
      ['pdf', join(work, 'tools/skills/pdf/SKILL.md'), true, null],
    ]);
    const one = await skillful('doctor', 'csv', '--root', 'tools');
    expect([one.code, one.stdout.includes(reason), one.stdout.includes('Move it into `skills`.')]).toEqual([
      1,
      true,
      true,
    ]);
  });

  it('names skills that are deeper than the search', async () => {
    const { home, skillful } = await makePlace();
    const root = join(home, '.claude/skills');
    await writeTree(root, {
      'pdf/SKILL.md': skillText('pdf'),
      'pdf/examples/inner/SKILL.md': skillText('inner'),
      'group/deep/SKILL.md': skillText('deep'),
      'link-to-deep': { link: 'group/linked' },
      'group/linked/SKILL.md': skillText('linked'),
      'a/b/c/d/bad/SKILL.md': 'No frontmatter.\n',
    });
    const { code, stdout } = await skillful('doctor', '--client', 'claude', '--json');
    const { skills } = JSON.parse(stdout) as { skills: readonly Finding[] };
    const reason = 'The skill is deeper below its root than the search goes.';
    expect([code, ...skills.map((finding) => [finding.location, finding.offered, finding.reason])]).toEqual([
      0,
      [join(root, 'a/b/c/d/bad/SKILL.md'), false, reason],
      [join(root, 'group/deep/SKILL.md'), false, reason],
      [join(root, 'pdf/examples/inner/SKILL.md'), false, expect.stringContaining('is inside the skill')],
      [join(root, 'link-to-deep/SKILL.md'), true, null],
      [join(root, 'pdf/SKILL.md'), true, null],
    ]);
    const one = await skillful('doctor', 'deep', '--client', 'claude');
    expect([one.code, one.stdout.includes(reason), one.stdout.includes('--depth')]).toEqual([1, true, true]);
  });

  it.skipIf(process.platform === 'win32')('says that the directory of a skill was refused', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { '.git/HEAD': '', '.claude/skills/pdf/SKILL.md': skillText('pdf') });
    await skillful('trust');
    await chmod(join(work, '.claude/skills'), 0o777);
    const { code, stderr } = await skillful('doctor', 'pdf');
    expect([code, stderr.split('\n').at(-2)]).toEqual([
      1,
      'error: No skill `pdf`. Run `skillful list` to see all skills.',
    ]);
    expect(stderr).toContain('(root-refused)');
  });

  it('doubts no rule of the policy if there are no skills', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      '.git/HEAD': '',
      '.skillful/config.json': '{ "policy": "policy.json" }',
      'policy.json': '{ "rules": [{ "skill": "pdf", "effect": "deny" }] }',
    });
    const { stdout } = await skillful('doctor', '--trust');
    expect(stdout).toBe('0 skill folders, 0 offered to the model.\n');
  });

  it('suggests a name although the project was not read', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(work, { '.git/HEAD': '', '.claude/skills/other/SKILL.md': skillText('other') });
    await writeTree(home, { '.claude/skills/reports/SKILL.md': skillText('reports') });
    const { stderr } = await skillful('doctor', 'repots');
    expect(stderr.split('\n').at(-2)).toBe(
      'error: No skill `repots`, but this project was not read, because it is not trusted. Did you mean `reports`?',
    );
  });

  it('names what a skill needs and this machine lacks, and the rule of the policy that decided', async () => {
    const { work, skillful } = await makePlace();
    const rules = [
      { skill: 'incident', actor: 'model', effect: 'deny', reason: 'Only on call.' },
      { skill: 'mail', action: 'activate', effect: 'ask' },
      { skill: 'pdf', action: 'list', effect: 'allow' },
      { skill: 'sql-*', action: 'run', effect: 'deny' },
      { scope: 'project', path: 'secret/*', effect: 'deny' },
    ];
    await writeTree(work, {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.skillful/config.json': '{ "policy": ".skillful/policy.json" }',
      '.skillful/policy.json': JSON.stringify({ rules }),
      '.agents/skills/incident/SKILL.md': skillText('incident'),
      '.agents/skills/mail/SKILL.md': skillText('mail'),
      '.agents/skills/needy/SKILL.md':
        '---\nname: needy\ndescription: Needs much.\nmetadata:\n  requires-bins: no-such-program\n  requires-env: NO_SUCH_KEY\n---\nGo.\n',
      '.agents/skills/pdf/SKILL.md': skillText('pdf'),
    });
    const { code, stdout } = await skillful('doctor', '--trust', '--json');
    const { skills } = JSON.parse(stdout) as { skills: readonly (Finding & { readonly policy: unknown })[] };
    const needs =
      '`needy` is not offered, because something that it needs is missing here: variable NO_SUCH_KEY, program no-such-program.';
    const allowed = { effect: 'allow', rule: null, reason: null };
    expect([code, ...skills.map(({ name, offered, reason, policy }) => [name, offered, reason, policy])]).toEqual([
      0,
      [
        ...['incident', false, 'The policy denies it to the model: rule 1, Only on call.'],
        { effect: 'deny', rule: 1, reason: 'Only on call.' },
      ],
      ['mail', true, null, { effect: 'ask', rule: 2, reason: null }],
      ['needy', false, needs, allowed],
      ['pdf', true, null, allowed],
    ]);
    const text = (await skillful('doctor', '--trust')).stdout;
    expect(text).toContain('A person must agree before the model activates it: rule 2\n');
    expect(text.match(/The policy denies it/g)).toHaveLength(1);
    expect(text.match(/^Rule .*/gmu)).toEqual(['Rule 4 of the policy applies to no skill here. Check its spelling.']);
    expect(text).toContain('(requirement-missing)');
    const { stderr } = await skillful('list', '--root', '.agents/skills');
    expect(stderr).toBe(
      `.skillful/config.json info: Everything in \`${join(work, '.skillful/config.json')}\` was skipped because it is not trusted. (source-untrusted)\n` +
        '  hint: Run `skillful trust` to use this project from now on, or add `--trust` to use it once.\n' +
        '1 skill without what it needs here. Run `skillful doctor --root .agents/skills` for details.\n',
    );
    const prompt = (await skillful('prompt', '--trust')).stdout;
    expect(['incident', 'mail', 'needy', 'pdf'].filter((name) => prompt.includes(name))).toEqual(['mail', 'pdf']);
    const found = JSON.parse((await skillful('search', 'about', '--trust', '--json')).stdout) as { name: string }[];
    expect(found.map(({ name }) => name).sort()).toEqual(['mail', 'pdf']);
    expect((await skillful('show', 'needy', '--trust')).stderr).toContain(`The model does not get this. ${needs}\n`);
  });

  it('answers for one name: exit code 0 if the model sees it, else 1', async () => {
    const { skillful } = await makeSkills();
    const ask = async (name: string) => {
      const { code, stdout } = await skillful('doctor', name, '--trust', '--json');
      const { skills } = JSON.parse(stdout) as { skills?: readonly Finding[] };
      return [code, skills?.map((finding) => [finding.name, finding.offered])];
    };
    expect(await Promise.all(['pdf', 'user:pdf', 'bad', 'mine', 'weather'].map(ask))).toEqual([
      [
        0,
        [
          ['pdf', false],
          ['pdf', true],
        ],
      ],
      [1, [['pdf', false]]],
      [1, [['bad', false]]],
      [1, [['mine', false]]],
      [1, undefined],
    ]);
    for (const name of ['pdf', 'bad']) expect(await ask(name.toUpperCase())).toEqual(await ask(name));
  });

  it('counts no folder if there is none', async () => {
    const { skillful } = await makePlace();
    const { code, stdout, stderr } = await skillful('doctor');
    expect([code, stdout]).toEqual([0, '0 skill folders, 0 offered to the model.\n']);
    expect(stderr).toMatch(/^No skills found\. Looked in:\n/u);
  });

  it('names nothing of an untrusted project', async () => {
    const { skillful } = await makeSkills();
    const { code, stdout, stderr } = await skillful('doctor');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split('  ')[0])).toEqual([
      'offered',
      'not offered',
      expect.stringContaining('`disable-model-invocation`'),
      '',
      '2 skill folders, 1 offered to the model.',
      '',
    ]);
    expect(stderr).toContain('(source-untrusted)');
  });
});
