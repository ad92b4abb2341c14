// The contract of an adapter: with a real agent of each framework, the same script must produce the same bytes.

import { createToolkit, loadCatalog, memorySource, type SkillSource, type SkillToolkit } from '@skillful/core';
import { describe, expect, it } from 'vitest';
import type { AdapterConversation, AdapterHarness, AdapterRun, ScriptedTurn } from './adapter-harness.ts';
import { testApprovals } from './approval-tests.ts';
import { testConversation } from './conversation-tests.ts';
import { testDecisions } from './decision-tests.ts';
import { testEndings } from './ending-tests.ts';
import { testJudgements } from './judgement-tests.ts';
import { openSession } from './open-session.ts';
import { testRandomSessions } from './random-session-tests.ts';
import { callOf, done } from './script.ts';
import { testSearch } from './search-tests.ts';
import { testStored } from './stored-tests.ts';
import { testTenants } from './tenant-tests.ts';

/** Long text with everything that an agent might cut, trim, normalise or write in another encoding. */
const delicate =
  '\u00dcber \u5831\u544a \ud83d\udc69\u200d\ud83d\udcbb \ufb01 e\u0301 \\n "&amp;" {x}\t \r\n\n\n\n'.repeat(2000);

const files = {
  'csv-report/SKILL.md': `---\nname: csv-report\ndescription: Turns a CSV into a report. Costs [$&] & <b>\n---\n# Report\n\nRead \`references/format.md\`.\n${delicate}`,
  'csv-report/references/format.md': `# Format\n\nOne table a page. </skill_resource>\n${delicate}`,
  'csv-report/assets/logo.bin': new Uint8Array([0, 1, 2, 3]),
  'csv-report/assets/seal.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]),
  'csv-report/assets/form.pdf': new TextEncoder().encode('%PDF-1.4'),
  'csv-report/assets/note.mp3': new Uint8Array([0x49, 0x44, 0x33, 0, 255]),
  'release-notes/SKILL.md': '---\nname: release-notes\ndescription: Writes release notes.\n---\nList changes.\n',
};

const system = 'You are the application.';
const user = 'Make a report.';
const callWithoutSkills = { system, tools: [], messages: [{ role: 'user', text: user }], results: [], files: [] };
const csvReport = { name: 'csv-report' };

/** Declares the tests that every adapter must pass, with a real agent of the framework. */
export function testAdapter(harness: AdapterHarness): void {
  testDecisions(harness);
  testConversation(harness);
  testStored(harness);
  testEndings(harness);
  testApprovals(harness);
  testJudgements(harness);
  testSearch(harness);
  testTenants(harness);
  testRandomSessions(harness);
  const toolkitOf = async (source: SkillSource = memorySource(files)): Promise<SkillToolkit> =>
    createToolkit(await loadCatalog([source]));

  const converse = async (
    toolkit: SkillToolkit,
    script: readonly ScriptedTurn[],
    more: Partial<AdapterConversation> = {},
  ): Promise<AdapterRun> =>
    harness.converse({ toolkit, system, user, script: [...script, done], stream: false, ...more });

  /** Lets the model make one call, and returns its result in the next model call. */
  const answerTo = async (tool: string, input: unknown): Promise<string | undefined> => {
    const run = await converse(await toolkitOf(), [callOf(tool, input)]);
    expect(run.answer).toBe('Done.');
    return run.calls.at(-1)?.results.at(-1);
  };

  describe(`${harness.framework} adapter`, () => {
    it('offers the tools of the toolkit with their names, descriptions and schemas', async () => {
      const toolkit = await toolkitOf();
      const run = await converse(toolkit, []);
      const { hiddenTools } = await toolkit.prepare([]);
      const expected = toolkit.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      const offered = expected.filter(({ name }) => !hiddenTools.includes(name));
      expect(run.calls.map((call) => call.tools)).toEqual([offered]);
    });

    for (const stream of [false, true]) {
      it(`discloses the same bytes as the toolkit in each model call ${stream ? 'of a stream' : 'without a stream'}`, async () => {
        const toolkit = await toolkitOf();
        const prepared = await toolkit.prepare([]);
        const file = { skill: 'csv-report', path: 'references/format.md' };
        const script = [callOf('activate_skill', csvReport), callOf('read_skill_resource', file)];
        const run = await converse(toolkit, script, { stream });
        const [activate, reader] = toolkit.tools;
        const [activated, read] = [await activate?.execute(csvReport), await reader?.execute(file)];
        const disclosed = `${system}\n\n${prepared.system}`;
        expect(run.calls.map(({ system, results }) => ({ system, results }))).toEqual([
          { system: disclosed, results: [] },
          { system: disclosed, results: [activated?.text] },
          { system: disclosed, results: [activated?.text, read?.text] },
        ]);
        expect(run.answer).toBe('Done.');
      });
    }

    for (const stream of [false, true]) {
      it(`answers a call of a skill's name as a tool with the activation ${stream ? 'in a stream' : 'without a stream'}`, async () => {
        const toolkit = await toolkitOf();
        const run = await converse(toolkit, [callOf('csv_report', { file: 'a.csv' })], { stream });
        const activated = await toolkit.tools[0]?.execute(csvReport);
        if (harness.refusesMistakenCalls === true) expect(run.calls[1]?.results[0]).toContain('activate_skill');
        else expect(run.calls[1]?.results).toEqual([activated?.text]);
        expect(run.answer).toBe('Done.');
      });
    }

    it('returns instructions once, and a pointer for each later activation', async () => {
      const toolkit = await toolkitOf();
      const activation = callOf('activate_skill', csvReport);
      const run = await converse(toolkit, [activation, activation, activation]);
      const text = (await toolkit.tools[0]?.execute(csvReport))?.text ?? '';
      const messages = [{ key: '1', role: 'tool' as const, results: [{ id: '1', tool: 'activate_skill', text }] }];
      const again = await toolkit.tools[0]?.execute(csvReport, { messages });
      const pointer = again?.text ?? '';
      expect(pointer.length).toBeLessThan(text.length);
      expect(run.calls.map(({ results }) => results)).toEqual([[], [text], [text, pointer], [text, pointer, pointer]]);
    });

    it('takes an input that the model writes as text', async () => {
      const activated = await (await toolkitOf()).tools[0]?.execute(csvReport);
      expect(await answerTo('activate_skill', JSON.stringify(csvReport))).toBe(activated?.text);
    });

    it('answers an unknown skill in words', async () => {
      expect(await answerTo('activate_skill', { name: 'csv-reprot' })).toBe(
        'No skill `csv-reprot`. Did you mean `csv-report`?',
      );
    });

    it.each([
      [
        'a missing property',
        {},
        '`name` is missing in the input of activate_skill. Call activate_skill with { "name": string }.',
      ],
      [
        'a property of another type',
        { name: true },
        '`name` is a boolean in the input of activate_skill; expected a string. Call activate_skill with { "name": string }.',
      ],
    ])('answers %s in words', async (_, input, words) => {
      expect(await answerTo('activate_skill', input)).toBe(words);
    });

    it.each(['../release-notes/SKILL.md', '/etc/passwd', 'references/../../release-notes/SKILL.md', 'C:\\secret'])(
      'refuses the path %s',
      async (path) => {
        const toolkit = await toolkitOf();
        const answer = await answerTo('read_skill_resource', { skill: 'csv-report', path });
        const expected = await toolkit.tools[1]?.execute({ skill: 'csv-report', path });
        expect(expected?.details).toEqual({ kind: 'refusal', code: 'resource-outside-skill' });
        expect(answer).toBe(expected?.text);
      },
    );

    it('says in words that a file is not text', async () => {
      const input = { skill: 'csv-report', path: 'assets/logo.bin' };
      expect(await answerTo('read_skill_resource', input)).toBe(
        '`assets/logo.bin` of skill `csv-report` is not text: application/octet-stream, 4 bytes.',
      );
    });

    it.each([
      ['an image', 'assets/seal.png', 'image/png', 'iVBORwD/', 6],
      ['a PDF', 'assets/form.pdf', 'application/pdf', 'JVBERi0xLjQ=', 8],
      ['a recording', 'assets/note.mp3', 'audio/mpeg', 'SUQzAP8=', 5],
    ])('passes %s to the model as a file of its type', async (_, path, mediaType, data, bytes) => {
      const toolkit = await toolkitOf();
      const input = { skill: 'csv-report', path };
      const run = await converse(toolkit, [callOf('read_skill_resource', input)]);
      const text = `\`${path}\` of skill \`csv-report\` is not text: ${mediaType}, ${bytes} bytes.`;
      const { hasNoFiles = false } = harness;
      expect(run.calls.at(-1)?.results).toEqual([hasNoFiles ? `${text} This model cannot be given it.` : text]);
      expect(run.calls.at(-1)?.files).toEqual(hasNoFiles ? [] : [{ mediaType, data }]);
    });

    it('passes the abort signal of the call to the source', async () => {
      const controller = new AbortController();
      const inner = memorySource(files);
      let seen: AbortSignal | undefined;
      const slow: SkillSource = {
        ...inner,
        readFile: (_skill, _path, options) =>
          new Promise((_, reject) => {
            seen = options?.signal;
            seen?.addEventListener('abort', () => reject(seen?.reason));
            controller.abort();
          }),
      };
      const { signal } = controller;
      const run = converse(await toolkitOf(slow), [callOf('activate_skill', csvReport)], { signal });
      await run.catch(() => undefined);
      expect(seen?.aborted).toBe(true);
    });

    it('adds nothing if there are no skills', async () => {
      const run = await converse(await toolkitOf(memorySource({})), []);
      expect(run.calls).toEqual([callWithoutSkills]);
    });

    it('refuses a tool of the application that has the name of a skill tool', async () => {
      // The agent of a session already has a tool `lookup`.
      const toolkit = createToolkit(await loadCatalog([memorySource(files)]), { toolNames: { activate: 'lookup' } });
      const session = await openSession(harness, { toolkit, shortens: false });
      await expect(session.say('Make a report.', [done])).rejects.toThrow(/lookup/);
    });
  });
}
