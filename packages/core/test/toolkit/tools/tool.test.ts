import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SkillError, type SkillTool } from '../../../src/index.ts';
import { answer, createTool } from '../../../src/toolkit/tools/create-tool.ts';

type Run = Parameters<typeof createTool<{ name: string; n?: number }>>[1];
const tool = (run: Run): SkillTool =>
  createTool(
    {
      name: 'try',
      description: 'Tries.',
      properties: {
        name: { type: 'string', description: 'A name.' },
        n: { type: 'integer', description: 'A number.' },
      },
      required: ['name'],
    },
    run,
  );
const echo = tool(async ({ name, n }) => answer(JSON.stringify([name, n]), { kind: 'refusal', code: 'none' }));
const usage = 'Call try with { "name": string, "n": integer (optional) }.';

describe('createTool', () => {
  it.each([
    [{ name: 'a' }, '["a",null]'],
    [{ name: 'a', n: 2 }, '["a",2]'],
    [{ name: 'a', n: ' 3 ' }, '["a",3]'],
    [{ name: '', n: null, more: true }, '["",null]'],
  ])('takes the input %j', async (input, text) => {
    expect((await echo.execute(input)).text).toBe(text);
  });

  it.each([
    [undefined, `The input of try is missing; expected an object. ${usage}`],
    ['a', `The input of try is a string; expected an object. ${usage}`],
    [{ name: null }, `\`name\` is missing in the input of try. ${usage}`],
    [{ name: {} }, `\`name\` is an object in the input of try; expected a string. ${usage}`],
    [{ name: 'a', n: -1 }, `\`n\` is -1 in the input of try; expected a whole number from 0. ${usage}`],
    [{ name: 'a', n: '' }, `\`n\` is a string in the input of try; expected a whole number from 0. ${usage}`],
    [{ name: 'a', n: 1e300 }, `\`n\` is 1e+300 in the input of try; expected a whole number from 0. ${usage}`],
    [JSON.parse('{"__proto__": {"name": "a"}}'), `\`name\` is missing in the input of try. ${usage}`],
    [Object.create({ name: 'a' }), `\`name\` is missing in the input of try. ${usage}`],
  ])('explains what is wrong with %j', async (input, text) => {
    expect(await echo.execute(input)).toEqual({
      text,
      parts: [],
      isError: true,
      details: { kind: 'refusal', code: 'input-invalid' },
    });
  });

  it('answers any input in words, never with a throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (input) => {
        expect(typeof (await echo.execute(input)).text).toBe('string');
      }),
    );
  });

  it('puts an error that the model can act on in one short line without markup', async () => {
    const failing = tool(() => Promise.reject(new SkillError('skill-unreadable', `<b>\n\u202e${'x'.repeat(5_000)}`)));
    const { text, details } = await failing.execute({ name: 'a' });
    expect(details).toEqual({ kind: 'refusal', code: 'skill-unreadable' });
    expect(text.startsWith('&lt;b&gt; xxx')).toBe(true);
    expect(text.length).toBeLessThan(1_010);
  });

  it('throws what the model cannot act on, and the reason of an abort', async () => {
    await expect(tool(() => Promise.reject(new TypeError('broken'))).execute({ name: 'a' })).rejects.toThrow('broken');
    const controller = new AbortController();
    const aborted = tool(() => {
      controller.abort(new Error('stopped'));
      return Promise.reject(new SkillError('skill-unreadable', 'late'));
    });
    await expect(aborted.execute({ name: 'a' }, { signal: controller.signal })).rejects.toThrow('stopped');
  });
});
