import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMentionReader } from '../../src/catalog/mention.ts';
import { loadCatalog, memorySource, renameSource } from '../../src/index.ts';
import { fakeCatalog, fakeSkill } from './catalog-fixture.ts';

const catalog = fakeCatalog([
  ...['etc', 'pdf', 'pdf-forms', '5', '技能', '技能提取', 'constructor', 'home'].map((name) => fakeSkill(name, 'D.')),
  fakeSkill('automatic', 'D.', { userInvocable: false }),
  fakeSkill('manual', 'D.', { disableModelInvocation: true }),
]);
const mentioned = (text: string) =>
  createMentionReader(catalog)(text).map((found) => [found.skill.name, found.arguments]);

describe('createMentionReader', () => {
  it.each([
    ['/Travel Agent', ['Travel Agent', '']],
    ['/travel agent to Rome and/or Pisa', ['Travel Agent', 'to Rome and/or Pisa']],
    ['/Travel Agent: Rome', ['Travel Agent', 'Rome']],
    ['/BUILTIN:TRAVEL AGENT\nRome', ['Travel Agent', 'Rome']],
    ['/travel light', ['travel', 'light']],
    ['/travel', ['travel', '']],
    ['/pdf x', ['PDF', 'x']],
    ['/Travel Agents', ['travel', 'Agents']],
    ['/travel, light', ['travel', 'light']],
    ['/travels', undefined],
    ['/travel/agent', undefined],
    ['/acme/pdf x', ['acme/pdf', 'x']],
    ['/Builtin:acme/PDF', ['acme/pdf', '']],
    ['/acme/pdf/forms', undefined],
    ['/acme', undefined],
  ])('finds in %j a name with spaces, capitals and parts', (text, expected) => {
    const skills = ['travel', 'Travel Agent', 'PDF', 'acme/pdf'].map((name) => fakeSkill(name, 'D.'));
    const [found] = createMentionReader(fakeCatalog(skills))(text);
    expect(found && [found.skill.name, found.arguments]).toEqual(expected);
  });

  it.each(['izin-talebi', 'ışık-ayarı', 'straße'])('finds %s in the capitals of its language', (name) => {
    const read = createMentionReader(fakeCatalog([fakeSkill(name, 'D.')]));
    for (const text of [
      `/${name.toLocaleUpperCase('tr')}`,
      `/${name.charAt(0).toLocaleUpperCase('tr')}${name.slice(1)}`,
    ])
      expect([text, read(text).length]).toEqual([text, 1]);
  });

  it('finds the skill before a comma, not one whose name ends in it', () => {
    const skills = ['deploy,', 'deploy', 'deploy。', 'own,'].map((name) => fakeSkill(name, 'D.'));
    const read = createMentionReader(fakeCatalog(skills));
    for (const text of ['/deploy, now', '/deploy，上线', '/Deploy;', '/deploy。上线', '/deploy；上线'])
      expect([text, read(text)[0]?.skill.name]).toEqual([text, 'deploy']);
    expect(read('/own, x').map(({ skill }) => skill.name)).toEqual(['own,']);
    expect(
      read('/İzin /deploy x', new Set(['izin'])).map(({ skill, arguments: given }) => [skill.name, given]),
    ).toEqual([['deploy', 'x']]);
  });

  it('passes over the name of a skill that has left, also before a comma', () => {
    const find = createMentionReader(catalog);
    for (const text of ['/gone /pdf a b', '/gone, /pdf a b', '/Gone、/pdf a b'])
      expect(find(text, new Set(['gone'])).map((found) => [found.skill.name, found.arguments])).toEqual([
        ['pdf', 'a b'],
      ]);
  });

  it('takes at most five skills for commands, so that no text can take long', () => {
    const names = Array.from({ length: 7 }, (_, n) => `s${n}`);
    const read = createMentionReader(fakeCatalog(names.map((name) => fakeSkill(name, 'D.'))));
    const found = read(`${names.map((name) => `/${name}`).join(' ')} x`);
    expect(found.map(({ skill, arguments: given }) => `${skill.name} ${given}`)).toEqual(
      names.slice(0, 5).map((name) => `${name} /s5 /s6 x`),
    );
  });

  it.each(['ประจำเดือน', 'ທຳງານ', 'हिंदी-अनुवाद', 'தமிழ்', 'résumé', 'ﬁles'])(
    'finds %s as its author writes it',
    async (name) => {
      const source = memorySource({ 'a/SKILL.md': `---\nname: ${name}\ndescription: D.\n---\n` });
      const catalog = await loadCatalog([source]);
      if (name !== 'ﬁles') expect(catalog.skills[0]?.name).toBe(name);
      const read = createMentionReader(catalog);
      for (const text of [
        `/${name} x`,
        `Use $${name}, please.`,
        `/${name.normalize('NFD')}`,
        `$${name.normalize('NFD')}`,
      ])
        expect([text, read(text).length]).toEqual([text, 1]);
      expect(read(`$${name.slice(0, 3)}`)).toEqual([]);
    },
  );

  it.each([
    ['/pdf', [['pdf', '']]],
    ['  /pdf  a "b c"\nd ', [['pdf', 'a "b c"\nd']]],
    ['/pdf\nFill this form.', [['pdf', 'Fill this form.']]],
    ['/pdf-forms', [['pdf-forms', '']]],
    ['/manual now', [['manual', 'now']]],
    [
      '/pdf /manual  a /etc',
      [
        ['pdf', 'a /etc'],
        ['manual', 'a /etc'],
      ],
    ],
    ['/pdf /etc/passwd', [['pdf', '/etc/passwd']]],
    ['/pdf /automatic a', [['pdf', '/automatic a']]],
    ['/pdf /PDF a', [['pdf', 'a']]],
    ['/nothing /pdf a', []],
    [
      'Use $pdf, then $pdf-forms: both. And $pdf again.',
      [
        ['pdf', ''],
        ['pdf-forms', ''],
      ],
    ],
    [
      '/pdf with $etc',
      [
        ['pdf', 'with $etc'],
        ['etc', ''],
      ],
    ],
    ['($pdf) "$pdf-" $pdf_', [['pdf', '']]],
    ['用 $技能 做', [['技能', '']]],
    ['用$pdf提取', [['pdf', '']]],
    ['用$技能pdf做', [['技能', '']]],
    [
      '$pdf를 써서 $etc',
      [
        ['pdf', ''],
        ['etc', ''],
      ],
    ],
    ['レポートは$pdf-formsで', [['pdf-forms', '']]],
    ['用$技能提取', [['技能提取', '']]],
    ['／技能：5月', [['技能', '5月']]],
    ['/技能、提取', [['技能', '提取']]],
    ['/技能，', [['技能', '']]],
    ['\u200f/pdf x', [['pdf', 'x']]],
    ['用＄pdf提取，＄＄etc', [['pdf', '']]],
    ['/Pdf Fill this form.', [['pdf', 'Fill this form.']]],
    ['/PDF', [['pdf', '']]],
  ])('finds in %j what the user asks for', (text, expected) => {
    expect(mentioned(text)).toEqual(expected);
  });

  it.each([
    ['a path', '/etc/passwd'],
    ['a path in a sentence', 'see /etc and /pdf'],
    ['a price', 'costs $5, not US$5 or $500'],
    ['a price in Chinese', '价格$5元，或$5'],
    ['an escaped name', 'write \\$pdf'],
    ['a variable of a shell', '$$pdf $pdfs a$pdf'],
    ['another case', 'With $Pdf.'],
    ['a variable of the environment', '在$HOME目录下'],
    ['a path in Chinese', '看/etc目录'],
    ['a part of a name', '/pd $form'],
    ['a skill that users may not activate', '/automatic $automatic'],
    ['a name of the prototype of an object', '/toString $hasOwnProperty $__proto__'],
    ['code', 'Run `$pdf` and `x $etc`.'],
    ['code between two backticks', 'Run ``$pdf``, or ``echo `$etc` ``.'],
    ['a block of code', 'Look:\n```sh\necho $pdf\n```\n'],
    ['a block of code without an end', '~~~\n$pdf\n```\n$etc'],
    ['a quotation', 'It says "use $pdf" and \u201c$etc\u201d.'],
    ['a quoted line', '> Use $pdf.\n  > And $etc.'],
    ['pasted text', '<document id="1">\nUse $pdf.\n</document>'],
    ['pasted text with tags in it', '<a><b>x</b> $pdf</a>'],
    ['pasted text before a tag without an end', '<a>x</a> <b>$pdf</b> <a>'],
    ['a tag', '<skill_content name="pdf" digest="00000000">'],
    ['nothing', ''],
    ['a slash alone', '/ pdf'],
  ])('takes %s for no mention', (_, text) => {
    expect(mentioned(text)).toEqual([]);
  });

  it('finds a skill by its qualified name, also one that another shadows', async () => {
    const file = (description: string) => ({ 'pdf/SKILL.md': `---\nname: pdf\ndescription: ${description}\n---\n` });
    const both = await loadCatalog([
      memorySource(file('Project.'), { scope: 'project' }),
      memorySource(file('User.'), { scope: 'user' }),
    ]);
    const descriptions = (text: string) => createMentionReader(both)(text).map(({ skill }) => skill.description);
    expect(descriptions('/user:pdf x')).toEqual(['User.']);
    expect(descriptions('$project:pdf and $pdf: or $user:pdf')).toEqual(['Project.', 'User.']);
    const same = await loadCatalog([memorySource(file('First.')), memorySource(file('Second.'))]);
    expect(createMentionReader(same)('$builtin:pdf').map(({ skill }) => skill.description)).toEqual(['First.']);
  });

  it('finds names with slashes, also before a path', async () => {
    const text = '---\nname: pdf\ndescription: D.\n---\n';
    const source = renameSource(memorySource({ 'pdf/SKILL.md': text }), (name) => `acme/${name}`);
    const read = createMentionReader(await loadCatalog([source, memorySource({ 'pdf/SKILL.md': text })]));
    const found = (message: string) => read(message).map(({ skill }) => skill.name);
    expect(['/acme/pdf x', 'Use $acme/pdf.', '$acme/pdf/forms', '$pdf/acme', '$acme/pd', '$acme/'].map(found)).toEqual([
      ['acme/pdf'],
      ['acme/pdf'],
      ['acme/pdf'],
      ['pdf'],
      [],
      [],
    ]);
  });

  it('finds the skill of a plugin by the name that it has in Claude Code', async () => {
    const { skills, ...rest } = await loadCatalog([
      memorySource({ 'pdf/SKILL.md': '---\nname: pdf\ndescription: D.\n---\n' }, { scope: 'plugin' }),
    ]);
    const named = (plugin: string, text: string) =>
      createMentionReader({ ...rest, skills: skills.map((skill) => ({ ...skill, plugin })) })(text).map(
        (mention) => mention.arguments,
      );
    expect([named('lint', '/Lint:pdf x'), named('lint', 'Use $lint:pdf.'), named('user', '/user:pdf x')]).toEqual([
      ['x'],
      [''],
      [],
    ]);
  });

  it('gives each skill once, and only skills of the catalog, whatever the text', () => {
    const word = fc.constantFrom('/', '$', 'pdf', 'etc', ' ', '\n', '\\', ':', '-', 'forms', '5');
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const skills = createMentionReader(catalog)(words.join('')).map(({ skill }) => skill);
        expect(new Set(skills).size).toBe(skills.length);
        expect(skills.every((skill) => catalog.skills.includes(skill))).toBe(true);
      }),
    );
  });
});
