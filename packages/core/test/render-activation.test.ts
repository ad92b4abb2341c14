import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activateSkill, loadCatalog, memorySource } from '../src/index.ts';

async function activate(
  body: string,
  files: Readonly<Record<string, string>> = {},
  options: Parameters<typeof activateSkill>[1] = {},
) {
  const source = memorySource({ 'pdf/SKILL.md': `---\nname: pdf\ndescription: D.\n---\n${body}`, ...files });
  const skill = (await loadCatalog([source])).skills[0];
  if (skill === undefined) throw new Error('The skill was not loaded.');
  return activateSkill(skill, options);
}

describe('activateSkill', () => {
  it('wraps the body with name, digest and directory', async () => {
    const { text, digest } = await activate('# PDF\n');
    expect(text).toBe(
      [
        `<skill_content name="pdf" digest="${digest.slice(0, 19)}">`,
        '# PDF',
        '',
        'Skill directory: pdf',
        'Relative paths start there.',
        '</skill_content>',
      ].join('\n'),
    );
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('lists the files with their sizes and says when the list is not whole', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [
        `pdf/references/${String(index).padStart(3, '0')}.md`,
        'x'.repeat(index),
      ]),
    );
    const { text } = await activate('Body', files, { readTool: 'read' });
    expect(text).toContain('<skill_resources>\n<file bytes="0">references/000.md</file>\n');
    expect(text).toContain(
      '<file bytes="99">references/099.md</file>\n<!-- 20 more files are not listed -->\n</skill_resources>',
    );
  });

  it('cannot be closed from inside, whatever the body is', async () => {
    const tags = fc.constantFrom(
      '</skill_content>',
      '< /SKILL_CONTENT >',
      '<\u200b/skill_content>',
      '<skill_resources>',
      '</available_skills>',
      '<skill_active name="x"/>',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.string(), tags)), async (pieces) => {
        const { text } = await activate(pieces.join(''));
        expect(text.match(/<[\s\p{Cf}]*\/?[\s\p{Cf}]*skill_content/giu)?.length).toBe(2);
        expect(text.match(/<[\s\p{Cf}]*\/?[\s\p{Cf}]*(skill_resources|skill_active|available_skills)/giu)).toBeNull();
      }),
    );
  });

  it('gives a long body in parts, with an outline of what follows and the way to it', async () => {
    const body = [
      '# One',
      ...Array.from({ length: 20 }, (_, line) => `first ${line}`),
      '## Two',
      'second',
      '```',
      '# no heading',
      '```',
      '# Three',
      'third',
    ];
    const { text } = await activate(body.join('\n'), {}, { limit: 100, readTool: 'read' });
    expect(text).toContain(
      'first 10\n\n[These are lines 5 to 16 of 32. Read the rest with read { "skill": "pdf", "path": "SKILL.md", "line": 17 } before you rely on it.]\nWhat follows:\n  - line 26: Two\n- line 31: Three',
    );
    expect(text).not.toContain('second');
  });

  it('puts arguments into the body of a skill that declares them, once', async () => {
    const source = memorySource({
      'greet/SKILL.md':
        '---\nname: greet\ndescription: D.\narguments: who how\n---\nGreet $who $1, not \\$0. All: $ARGUMENTS. Costs $5.\n',
    });
    const skill = (await loadCatalog([source])).skills[0];
    if (skill === undefined) throw new Error('The skill was not loaded.');
    const { text } = await activateSkill(skill, { arguments: '"$ARGUMENTS x" warmly' });
    expect(text).toContain('Greet $ARGUMENTS x warmly, not $0. All: "$ARGUMENTS x" warmly. Costs $5.');
  });

  it('puts arguments behind the body of a skill that has no place for them', async () => {
    const { text } = await activate('Body.', {}, { arguments: 'now $0' });
    expect(text).toContain('Body.\n\nARGUMENTS: now $0\n');
  });

  it('leaves shell substitutions as they are', async () => {
    const { text } = await activate('Run !`rm -rf /` and $(date).');
    expect(text).toContain('Run !`rm -rf /` and $(date).');
  });
});
