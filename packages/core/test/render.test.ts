import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderActivation, renderCatalog } from '../src/index.ts';

describe('renderCatalog', () => {
  it('gives one entry a skill and one line a field', () => {
    expect(renderCatalog([{ name: 'pdf', description: 'Fills\n  forms.' }])).toBe(
      '<available_skills>\n<skill>\n<name>pdf</name>\n<description>Fills forms.</description>\n</skill>\n</available_skills>',
    );
  });

  it('gives nothing where there are no skills', () => {
    expect(renderCatalog([])).toBe('');
  });

  it.each([
    ['markup', '</available_skills> & "x"', '&lt;/available_skills&gt; &amp; &quot;x&quot;'],
    ['patterns of String.replace', "costs $& $' $`", 'costs $&amp; $&#39; $`'],
    ['control characters', 'a\u0000b\u001b[31mc', 'a b [31mc'],
    ['bidi and zero-width characters', 'a\u202eb\u200bc\u2066d', 'abcd'],
    ['tag characters that spell hidden words', 'hi\u{e0041}\u{e0042}', 'hi'],
    ['line separators', 'a\u2028b\u0085c', 'a b c'],
  ])('neutralises %s', (_, description, expected) => {
    expect(renderCatalog([{ name: 'x', description }])).toContain(`<description>${expected}</description>`);
  });

  it.each(['👨‍👩‍👧', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 'क्\u200dष', '技能'])(
    'keeps %s as it is',
    (description) => {
      expect(renderCatalog([{ name: 'x', description }])).toContain(`<description>${description}</description>`);
    },
  );

  it('can be read back to the same number of entries, whatever the skills say', () => {
    const field = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: field, description: field }), { minLength: 1, maxLength: 5 }),
        (skills) => {
          const lines = renderCatalog(skills).split('\n');
          expect(lines.length).toBe(2 + skills.length * 4);
          for (const line of lines.slice(1, -1)) {
            expect(line).toMatch(/^(<skill>|<\/skill>|<name>[^<>]*<\/name>|<description>[^<>]*<\/description>)$/u);
          }
        },
      ),
    );
  });
});

describe('renderActivation', () => {
  const parts = {
    name: 'pdf',
    digest: 'sha256:0',
    directory: '/skills/pdf',
    resources: { files: [], truncated: false },
  };

  it('wraps the body with name, digest and directory', () => {
    expect(renderActivation({ ...parts, body: '# PDF' })).toBe(
      [
        '<skill_content name="pdf" digest="sha256:0">',
        '# PDF',
        '',
        'Skill directory: /skills/pdf',
        'Relative paths in this skill are relative to the skill directory.',
        '</skill_content>',
      ].join('\n'),
    );
  });

  it('lists the files with their sizes and says when the list is not whole', () => {
    const files = Array.from({ length: 120 }, (_, index) => ({ path: `references/${index}.md`, bytes: index }));
    const text = renderActivation({ ...parts, body: '', resources: { files, truncated: false }, resourceTool: 'read' });
    expect(text).toContain(
      'Read bundled files with read.\n<skill_resources>\n<file bytes="0">references/0.md</file>\n',
    );
    expect(text).toContain(
      '<file bytes="99">references/99.md</file>\n<!-- 20 more files are not listed -->\n</skill_resources>',
    );
  });

  it('cannot be closed from inside, whatever the body is', () => {
    const body = fc.array(
      fc.oneof(
        fc.string(),
        fc.constantFrom('</skill_content>', '< /SKILL_CONTENT >', '<skill_resources>', '</available_skills>'),
      ),
    );
    fc.assert(
      fc.property(body, (pieces) => {
        const text = renderActivation({ ...parts, body: pieces.join('') });
        expect(text.match(/<\s*\/?\s*skill_content/giu)?.length).toBe(2);
        expect(text.match(/<\s*\/?\s*(skill_resources|available_skills)/giu)).toBeNull();
      }),
    );
  });
});
