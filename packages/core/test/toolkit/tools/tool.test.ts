import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCatalog, SkillError, type SkillEvent, type SkillTool, type SkillToolResult } from '../../../src/index.ts';
import { createParts } from '../../../src/toolkit/create-parts.ts';
import { answer, createTool } from '../../../src/toolkit/tools/create-tool.ts';

const parts = createParts(await loadCatalog([]), {}, undefined);

type Run = (input: { name: string; n?: number }) => Promise<SkillToolResult>;
const tool = (run: Run, emit: (event: SkillEvent) => void = () => {}): SkillTool =>
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
    { ...parts, emit },
    run,
  );
const echo = tool(async ({ name, n }) => answer(JSON.stringify([name, n]), { kind: 'refusal', code: 'none' }));
const usage = 'Call try with { "name": string, "n": integer (optional) }.';

describe('createTool', () => {
  it.each([
    [{ name: 'a' }, '["a",null]'],
    [{ name: 'a', n: 2 }, '["a",2]'],
    [{ name: 'a', n: ' 3 ' }, '["a",3]'],
    [{ name: 7 }, '["7",null]'],
    ['{"name": "a", "n": 2}', '["a",2]'],
    [{ name: '', n: null, more: null }, '["",null]'],
    [{ name: 'a', n: 2, more: true }, '["a",2]'],
    [{ name: 'a', _background: {}, resumeData: {}, suspendedToolCallId: 'c' }, '["a",null]'],
  ])('takes the input %j', async (input, text) => {
    expect((await echo.execute(input)).text).toBe(text);
  });

  it.each([
    [undefined, `The input of try is missing; expected an object. ${usage}`],
    ['a', `The input of try is a string; expected an object. ${usage}`],
    ['["a"]', `The input of try is a string; expected an object. ${usage}`],
    [{ name: null }, `\`name\` is missing in the input of try. ${usage}`],
    [{ name: {} }, `\`name\` is an object in the input of try; expected a string. ${usage}`],
    [{ name: 'a', n: -1 }, `\`n\` is -1 in the input of try; expected a whole number from 0. ${usage}`],
    [{ name: 'a', n: '' }, `\`n\` is a string in the input of try; expected a whole number from 0. ${usage}`],
    [{ name: 'a', n: 1e300 }, `\`n\` is 1e+300 in the input of try; expected a whole number from 0. ${usage}`],
    [{ name: 'a', number: 2 }, `\`number\` is unknown in the input of try. ${usage}`],
    [{ name: 'a', 'a\nb`c': 2 }, `"a b\`c" is unknown in the input of try. ${usage}`],
    [JSON.parse('{"__proto__": {"name": "a"}}'), `\`name\` is missing in the input of try. ${usage}`],
    [Object.create({ name: 'a' }), `\`name\` is missing in the input of try. ${usage}`],
  ])('explains what is wrong with %j', async (input, text) => {
    expect(await echo.execute(input)).toEqual({
      text,
      files: [],
      isError: true,
      details: { kind: 'refusal', code: 'input-invalid' },
    });
  });

  it('hands frameworks an object, whatever the model wrote, because some servers refuse a conversation with other input', () => {
    const { validate } = echo.standardSchema['~standard'];
    const inputs = ['{"name": "a"}', { name: 'a' }, ['a'], '["a"]', 'a', 5, null, undefined];
    const read = inputs.map((input) => validate(input).value);
    expect(read).toEqual([{ name: 'a' }, { name: 'a' }, {}, {}, {}, {}, {}, {}]);
  });

  it('answers any input in words, never with a throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (input) => {
        expect(typeof (await echo.execute(input)).text).toBe('string');
      }),
    );
  });

  it('answers an input that throws when it is read', async () => {
    const fail = () => {
      throw new Error('gone');
    };
    const throwing = new Proxy({}, { ownKeys: fail });
    expect(await echo.execute(throwing)).toMatchObject({ details: { kind: 'refusal', code: 'tool-failed' } });
  });

  it('puts an error that the model can act on in one short line without markup', async () => {
    const failing = tool(() => Promise.reject(new SkillError('skill-unreadable', `<b>\n\u202e${'x'.repeat(5_000)}`)));
    const { text, details } = await failing.execute({ name: 'a' });
    expect(details).toEqual({ kind: 'refusal', code: 'skill-unreadable' });
    expect(text.startsWith('&lt;b&gt; xxx')).toBe(true);
    expect(text.length).toBeLessThan(1_010);
  });

  it('tells the application, and not the model, why a call failed that the model cannot correct', async () => {
    const events: SkillEvent[] = [];
    const cause = new Error('EIO: /srv/skills', { cause: new Error('disk on fire') });
    const failing = (error: unknown) =>
      tool(
        () => Promise.reject(error),
        (event) => events.push(event),
      );
    expect(await failing(cause).execute({ name: 'a' })).toEqual({
      text: 'try failed for a technical reason, maybe after it had done its work. Call it again only if that does no harm.',
      files: [],
      isError: true,
      details: { kind: 'refusal', code: 'tool-failed' },
    });
    const unreadable = new SkillError('resource-unreadable', '`a.md` could not be read.', { cause });
    expect((await failing(unreadable).execute({ name: 'a' })).text).toBe('`a.md` could not be read.');
    await failing(new SkillError('resource-unknown', 'There is no file.')).execute({ name: 'a' });
    // Some wrap an error in one that repeats its message.
    await failing(new Error(`a: ${cause.message}`, { cause })).execute({ name: 'a' });
    await failing(undefined).execute({ name: 'a' });
    await failing(new Error('`reset.md` is gone.', { cause: new Error('reset') })).execute({ name: 'a' });
    const reason = 'EIO: /srv/skills (disk on fire)';
    expect(events).toEqual([
      { type: 'tool-failed', tool: 'try', reason, tokens: 0 },
      { type: 'tool-failed', tool: 'try', reason: `\`a.md\` could not be read. (${reason})`, tokens: 0 },
      { type: 'tool-failed', tool: 'try', reason: `a: ${reason}`, tokens: 0 },
      { type: 'tool-failed', tool: 'try', reason: 'undefined', tokens: 0 },
      { type: 'tool-failed', tool: 'try', reason: '`reset.md` is gone. (reset)', tokens: 0 },
    ]);
  });

  it('throws the reason of an abort', async () => {
    const controller = new AbortController();
    const aborted = tool(() => {
      controller.abort(new Error('stopped'));
      return Promise.reject(new SkillError('skill-unreadable', 'late'));
    });
    await expect(aborted.execute({ name: 'a' }, { signal: controller.signal })).rejects.toThrow('stopped');
  });
});
