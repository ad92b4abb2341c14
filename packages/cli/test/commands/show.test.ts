// `skillful show`, `read` and `prompt`: the exact text and the exact bytes.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createToolkit, definePolicy, estimateTokens, loadCatalog } from '@skillful/core';
import { clientPreset, fileSource } from '@skillful/core/node';
import { describe, expect, it } from 'vitest';
import { binary, makePlace, type Place, runProcess, skillText, writeTree } from '../command.ts';

const bytes = new Uint8Array([0, 255, 10, 13, 27, 128]);

async function makeSkills(): Promise<Place> {
  const place = await makePlace();
  await writeTree(place.work, {
    'my skills/pdf-processing/SKILL.md': skillText('pdf-processing', 'Reads PDFs.', '# PDF\n\nÜber \u001b[31mred.\n'),
    'my skills/pdf-processing/references/größe.md': 'Größe\n',
    'my skills/pdf-processing/assets/raw data.bin': bytes,
    'my skills/hidden/SKILL.md':
      '---\nname: hidden\ndescription: For users.\ndisable-model-invocation: true\n---\nGo.\n',
  });
  return place;
}

/** What the model gets from an agent over the same directory. */
async function askAgent({ work }: Place): Promise<{ readonly instructions: string; readonly activation: string }> {
  const toolkit = createToolkit(await loadCatalog([fileSource(join(work, 'my skills'))]));
  const { system } = await toolkit.prepare([]);
  const result = await toolkit.tools.find(({ name }) => name === 'activate_skill')?.execute({ name: 'pdf-processing' });
  return { instructions: system, activation: result?.text ?? '' };
}

describe('show', () => {
  it('prints exactly what the model gets, and a line feed', async () => {
    const place = await makeSkills();
    const { code, stdout, stderr } = await place.skillful('show', 'pdf-processing', '--root', 'my skills');
    const { activation } = await askAgent(place);
    expect(activation).toContain('# PDF');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${activation}\n` });
    expect(stderr).not.toContain('\u001b');
  });

  it('says who gets it if the model is not offered it', async () => {
    const { work, skillful } = await makeSkills();
    await writeTree(work, {
      'my skills/nobody/SKILL.md':
        '---\nname: nobody\ndescription: For code.\ndisable-model-invocation: true\nuser-invocable: false\n---\nGo.\n',
    });
    const show = async (name: string) => (await skillful('show', name, '--root', 'my skills')).stderr;
    expect(await show('hidden')).toMatch(/^The model is not offered this\. Only a user can activate it, because of /);
    expect(await show('nobody')).toMatch(
      /^The model is not offered this\. Neither the model nor a user can activate it, /,
    );
    const { stdout } = await skillful('list', '--root', 'my skills');
    expect(stdout.match(/^\S+ \(not offered\)/gmu)).toEqual(['hidden (not offered)', 'nobody (not offered)']);
  });

  it('prints text, files and digest as JSON', async () => {
    const place = await makeSkills();
    const { code, stdout } = await place.skillful('show', 'pdf-processing', '--root', 'my skills', '--json');
    const { activation } = await askAgent(place);
    const file = skillText('pdf-processing', 'Reads PDFs.', '# PDF\n\nÜber \u001b[31mred.\n');
    expect({ code, output: JSON.parse(stdout) }).toEqual({
      code: 0,
      output: {
        skill: 'pdf-processing',
        text: activation,
        resources: [
          { path: 'assets/raw data.bin', bytes: 6 },
          { path: 'references/größe.md', bytes: 8 },
        ],
        digest: `sha256:${createHash('sha256').update(file).digest('hex')}`,
      },
    });
  });

  it('accepts a qualified name, another case or a unique part of a name, and reaches a shadowed skill', async () => {
    const { home, work, skillful } = await makePlace();
    await writeTree(work, { '.agents/skills/pdf/SKILL.md': skillText('pdf', 'Ours.', 'Project.\n') });
    await writeTree(home, { '.agents/skills/pdf/SKILL.md': skillText('pdf', 'Mine.', 'User.\n') });
    const shown = await Promise.all(
      ['pdf', 'PDF', 'project:pdf', 'user:pdf', 'pd'].map(async (name) => {
        const { code, stdout } = await skillful('show', name, '--trust');
        return [code, stdout.split('\n')[1]];
      }),
    );
    expect(shown).toEqual([
      [0, 'Project.'],
      [0, 'Project.'],
      [0, 'Project.'],
      [0, 'User.'],
      [0, 'Project.'],
    ]);
  });

  it('prints what the model gets of a shadowed skill, and of a skill with files that the policy denies', async () => {
    const { home, work, skillful } = await makePlace();
    const rules = [{ skill: 'pdf', path: 'internal/*', effect: 'deny' }] as const;
    await writeTree(work, {
      '.agents/skills/pdf/SKILL.md': skillText('pdf', 'Ours.', 'Project.\n'),
      '.agents/skills/pdf/internal/keys.md': 'Secret.\n',
      '.agents/skills/pdf/alias.md': { link: 'internal/keys.md' },
      '.agents/skills/pdf/public.md': 'Public.\n',
      '.skillful/config.json': '{ "policy": "policy.json" }',
      'policy.json': JSON.stringify({ rules }),
    });
    await writeTree(home, { '.agents/skills/pdf/SKILL.md': skillText('pdf', 'Mine.', 'User.\n') });
    const sources = await clientPreset('skillful', { cwd: work, trusted: true, home, environment: {} });
    const { tools } = createToolkit(await loadCatalog(sources), { policy: definePolicy({ rules }) });
    const activate = tools.find((tool) => tool.name === 'activate_skill');
    for (const name of ['pdf', 'user:pdf']) {
      const { text } = (await activate?.execute({ name })) ?? {};
      const { stdout } = await skillful('show', name, '--trust', '--json');
      const { text: shown, resources } = JSON.parse(stdout);
      expect(shown).toBe(text);
      expect(resources).toEqual(name === 'pdf' ? [{ path: 'public.md', bytes: 8 }] : []);
    }
  });

  it('suggests close names for an unknown name, and the candidates for an ambiguous one', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/pdf-processing/SKILL.md': skillText('pdf-processing'),
      's/pdf-forms/SKILL.md': skillText('pdf-forms'),
    });
    const ask = async (name: string) => await skillful('show', name, '--root', 's');
    expect(await Promise.all(['pdf-procesing', 'weather', 'pdf'].map(ask))).toEqual([
      { code: 1, stdout: '', stderr: 'error: No skill `pdf-procesing`. Did you mean `pdf-processing`?\n' },
      {
        code: 1,
        stdout: '',
        stderr: 'error: No skill `weather`. Run `skillful list` to see all skills.\n',
      },
      {
        code: 1,
        stdout: '',
        stderr: 'error: `pdf` could be `project:pdf-forms` or `project:pdf-processing`. Use one of these names.\n',
      },
    ]);
  });

  it('names ten of a hundred candidates, and counts the others', async () => {
    const { work, skillful } = await makePlace();
    const names = Array.from({ length: 100 }, (_, index) => `pdf-${100 + index}`);
    await writeTree(work, Object.fromEntries(names.map((name) => [`s/${name}/SKILL.md`, skillText(name)])));
    const shown = names.slice(0, 10).map((name) => `\`project:${name}\``);
    expect(await skillful('show', 'pdf', '--root', 's')).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: \`pdf\` could be ${shown.join(' or ')} or 90 more. Use one of these names.\n`,
    });
  });

  it.each([
    ['misnamed', 'skill-file-case'],
    ['special', 'skill-file-special'],
    ['linked', 'skill-broken-link'],
  ])('says why the folder %s is no skill', async (name, code) => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/misnamed/skill.md': skillText('misnamed'),
      's/special/SKILL.md/pdf.md': '',
      's/linked/SKILL.md': { link: 'nowhere' },
    });
    const { stderr } = await skillful('show', name, '--root', 's');
    expect(stderr.match(/\([a-z-]+\)$/gmu)).toEqual([`(${code})`]);
    expect(stderr).toContain(`error: \`${name}\` cannot be loaded. Fix the problems above.\n`);
  });

  it.each(['bad', 'BAD'])('says why a skill that was found as %s cannot be loaded', async (name) => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/bad/SKILL.md': 'No frontmatter.\n' });
    const { code, stdout, stderr } = await skillful('show', name, '--root', 's');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('s/bad/SKILL.md:1:1 error: ');
    expect(stderr).toContain(`error: \`${name}\` cannot be loaded. Fix the problems above.\n`);
  });

  it('suggests the skill in a directory of that name', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 's/pdf:fill/SKILL.md': skillText('pdf:fill') });
    const { code, stderr } = await skillful('show', 'pdf:fill', '--root', 's');
    expect(code).toBe(1);
    expect(stderr).toContain('(name-replaced)');
    expect(stderr).toContain('error: No skill `pdf:fill`. Did you mean `pdf-fill`?\n');
  });

  it('shows nothing of an untrusted project except that it was withheld', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { '.agents/skills/pdf/SKILL.md': skillText('pdf', 'Hostile words.', 'Hostile words.\n') });
    const { code, stdout, stderr } = await skillful('show', 'pdf');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).not.toContain('Hostile');
    expect(stderr).toContain('(source-untrusted)');
  });
});

describe('read', () => {
  it('prints the exact bytes of a file', async () => {
    const { work, home } = await makeSkills();
    const script = `"$0" --conditions=skillful-source "$1" read pdf-processing "assets/raw data.bin" --root "my skills" > copy`;
    await runProcess('sh', ['-c', script, process.execPath, binary], work, { PATH: '/usr/bin:/bin', HOME: home });
    expect(new Uint8Array(await readFile(join(work, 'copy')))).toEqual(bytes);
  });

  it('prints a text with a path in any alphabet', async () => {
    const { skillful } = await makeSkills();
    expect(await skillful('read', 'pdf-processing', 'references/größe.md', '--root', 'my skills')).toEqual({
      code: 0,
      stdout: 'Größe\n',
      stderr: '',
    });
  });

  it.each([
    [
      'references/none.md',
      /There is no file `references\/none\.md` in the skill\. Run `skillful show \S+` to see its files\./u,
    ],
    ['../hidden/SKILL.md', /\.\.\/hidden\/SKILL\.md/u],
    ['/etc/passwd', /\/etc\/passwd/u],
  ])('refuses %s with a sentence and exit code 1', async (path, words) => {
    const { skillful } = await makeSkills();
    const { code, stdout, stderr } = await skillful('read', 'pdf-processing', path, '--root', 'my skills');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(words);
  });
});

describe('prompt', () => {
  it('prints exactly the text of the system prompt', async () => {
    const place = await makeSkills();
    const { instructions } = await askAgent(place);
    const text = await place.skillful('prompt', '--root', 'my skills');
    const json = await place.skillful('prompt', '--root', 'my skills', '--json');
    expect(instructions).toContain('\n- pdf-processing: ');
    expect(text).toEqual({ code: 0, stdout: `${instructions}\n`, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ text: instructions, tokens: estimateTokens(instructions) });
  });

  it('takes format, mode and budget, and says what was cut to fit', async () => {
    const { skillful } = await makeSkills();
    const direct = await skillful('prompt', '--mode', 'direct', '--root', 'my skills');
    const awareness = await skillful('prompt', '--mode', 'awareness', '--format', 'xml', '--root', 'my skills');
    const tight = await skillful('prompt', '--budget', '1', '--root', 'my skills', '--json');
    expect([direct.code, awareness.code, tight.code]).toEqual([0, 0, 0]);
    expect(direct.stdout).toContain('# PDF');
    expect(awareness.stdout).toContain('my skills/pdf-processing/SKILL.md');
    expect(awareness.stdout).toContain('<name>pdf-processing</name>');
    const { text, tokens, plan } = JSON.parse(tight.stdout);
    expect(text).not.toContain('pdf-processing');
    expect(tight.stderr).toContain(`The text has ${tokens} tokens, because it cannot be cut to the budget of 1.\n`);
    expect(plan).toEqual({
      format: 'markdown',
      locations: false,
      tokens: 0,
      skills: [
        { name: 'hidden', showing: 'hidden', description: '', tokens: 0, cut: 'not-for-models' },
        { name: 'pdf-processing', showing: 'deferred', description: '', tokens: 0, cut: 'budget' },
      ],
    });
  });

  it.each(['tool', 'awareness'])('keeps the whole text within the budget in the mode %s', async (mode) => {
    const { work, skillful } = await makePlace();
    const names = Array.from({ length: 40 }, (_, index) => `skill-${index}`);
    await writeTree(work, Object.fromEntries(names.map((name) => [`s/${name}/SKILL.md`, skillText(name)])));
    for (const budget of [80, 150, 400]) {
      const { stdout } = await skillful('prompt', '--root', 's', '--mode', mode, '--budget', `${budget}`, '--json');
      const { text, tokens } = JSON.parse(stdout);
      expect(estimateTokens(text)).toBe(tokens);
      expect(tokens).toBeGreaterThan(budget / 2);
      expect(tokens).toBeLessThanOrEqual(budget);
    }
  });

  it('prints nothing if the model sees no skill', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/hidden/SKILL.md': '---\nname: hidden\ndescription: For users.\ndisable-model-invocation: true\n---\nGo.\n',
    });
    expect(await skillful('prompt', '--root', 's')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
