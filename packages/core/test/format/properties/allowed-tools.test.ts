import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitAllowedTools } from '../../../src/format/properties/allowed-tools.ts';

describe('splitAllowedTools', () => {
  it.each([
    ['Bash(git add *) Bash(git commit *)', ['Bash(git add *)', 'Bash(git commit *)'], false],
    ['Bash(a,b) Read', ['Bash(a,b)', 'Read'], false],
    ['Read, Write,Edit', ['Read', 'Write', 'Edit'], true],
    ['  Read\n\tWrite ', ['Read', 'Write'], false],
    ['Bash(a (b c) d)', ['Bash(a (b c) d)'], false],
    ['', [], false],
    [' , ,', [], true],
  ])('splits %j', (text, tools, commas) => {
    expect(splitAllowedTools(text)).toEqual({ tools, commas });
  });

  it.each(['Bash(git', 'Read)', ')(', 'Bash(a)) Read', 'Read Bash((a)'])('is in doubt about %j', (text) => {
    expect(splitAllowedTools(text)).toEqual({ problem: expect.stringContaining('parenthesis') });
  });

  // `Bash` alone would allow every command.
  it.each([
    ['Bash (git:*)', '('],
    ['Read, (git:*)', '('],
    ['()', '('],
    ['Bash （git:*）', '（'],
    ['Bash [git:*]', '['],
    ['Bash "git log"', '"'],
  ])('is in doubt about the tool of %j', (text, sign) => {
    expect(splitAllowedTools(text)).toEqual({ problem: `has \`${sign}\` where a tool should begin` });
  });

  it('returns tokens that are tokens themselves', () => {
    const text = fc
      .array(fc.constantFrom('Read', '(', ')', ' ', ',', '*', '"', '\n'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (value) => {
        const split = splitAllowedTools(value);
        if ('problem' in split) return;
        for (const tool of split.tools) expect(splitAllowedTools(tool)).toEqual({ tools: [tool], commas: false });
        expect(splitAllowedTools(split.tools.join(' '))).toEqual({ tools: split.tools, commas: false });
      }),
    );
  });
});
