// What a hostile text consists of: each construct grows to its limit, for the suites that measure time and memory.

import { fixSkill, parseSkill } from '../src/authoring.ts';
import {
  createSkillIndex,
  createToolkit,
  loadCatalog,
  type MessageView,
  memorySource,
  resolveSkill,
  type ScriptPlan,
  type ScriptSandbox,
  sandboxRunner,
} from '../src/index.ts';

type Work = () => unknown;

/** A construct that grows. */
export interface Construct {
  readonly name: string;
  /** The size of its text at most, in the unit of its group. */
  readonly limit: number;
  /** Bytes of the text at that size. */
  readonly bytes: number;
  /** Prepares what is done with a text of a size, in several ways. */
  readonly ways: readonly ((size: number) => Work | Promise<Work>)[];
}

/** Repeats a unit up to a number of bytes. */
function fill(unit: string, size: number): string {
  return unit.repeat(Math.max(1, Math.floor(size / new TextEncoder().encode(unit).length)));
}

const body = (text: string, fields = ''): string => `---\nname: x\ndescription: d\n${fields}---\n${text}\n`;

async function toolOf(files: Readonly<Record<string, string>>, tool: string) {
  const toolkit = createToolkit(await loadCatalog([memorySource(files)]), { tools: { find: true } });
  return toolkit.tools.find(({ name }) => name === tool);
}

function constructsOf(units: readonly string[], limit: number, waysOf: (unit: string) => Construct['ways']) {
  return units.map(
    (unit): Construct => ({ name: JSON.stringify(unit).slice(0, 24), limit, bytes: limit, ways: waysOf(unit) }),
  );
}

const openings = ['', 'a: "', 'a: ["', 'a:\n  b: "', 'a: |\n ', 'description: d\nname: ', 'name: x\ndescription: '];
const frontmatter = constructsOf(
  [
    ...[
      '\\@',
      '\\"',
      '\\x41',
      '"',
      "'",
      "''",
      '[',
      '[],',
      '{a: ',
      '- ',
      '-\n',
      '  - a\n',
      'a: b\n',
      'a: "b\n',
      '? ',
      ': ',
    ],
    ...[' a: b: c\n', '  internal: true\n', ' a:b: c', '\ta: b\n', '%a\n', "a: don't: x\n"],
    ...['&a ', '*a ', '# a\n', ' #', '|\n', '>\n a\n\n', '---\n', '\u0301\u0323', '\u200d', 'user:', 'é'],
  ],
  16_000,
  (unit) =>
    openings.map((opening) => (size) => {
      const text = `---\n${opening}${fill(unit, size)}\n---\nbody\n`;
      return () => parseSkill(text, { directoryName: 'x' });
    }),
);

/** Fixes an empty field. */
const fixes = constructsOf(['\t', ' '], 16_000, (unit) => [
  (size) => {
    const text = body('b', `compatibility: ${fill(unit, size)}"\n`);
    return () => fixSkill(text, { directoryName: 'x' });
  },
]);

/** Searches among skills with such a tag. */
const tags = constructsOf(['"', ' '], 16_000, (unit) => [
  async (size) => {
    const text = body('b', `tags: 'a${fill(unit, size)}a'\n`);
    const index = createSkillIndex((await loadCatalog([memorySource({ 'x/SKILL.md': text })])).skills);
    return () => index.search('d', { filter: { tag: 'x' } });
  },
]);

/** Activates a skill with such a body. */
const activate = (bodyOf: (size: number) => string) => async (size: number) => {
  const tool = await toolOf({ 'x/SKILL.md': bodyOf(size) }, 'activate_skill');
  return () => tool?.execute({ name: 'x', arguments: 'one "two three"' });
};
const bodies = constructsOf(
  [
    ...['a', '\n', '# a\n', '#\n', '```\n', '~~~\n', '`', '<', '< ', '<skill_content', '<|', '<|a|>', '[INST]', ']'],
    ...[
      '\u200b',
      'a\u200d',
      '❤\ufe0f',
      '\u{1f3f4}\u{e0067}',
      '\u001b',
      '\u2028',
      '\r',
      '漢',
      '\u0301\u0323',
      ' \n',
      ' ',
    ],
  ],
  512_000,
  (unit) => [activate((size) => body(`a${fill(unit, size)}`))],
);
const spaces = constructsOf([' a', 'a  ', 'a a '], 512_000, (unit) => [
  activate((size) => body(fill(unit, size / 2) + ' '.repeat(size / 2))),
]);
const names = Array.from({ length: 3_900 }, (_, index) => index.toString(36).padStart(3, 'n')).join(' ');
const parts = Array.from({ length: 90 }, (_, index) => `${'a-'.repeat(index)}a`).join(' ');
const placeholders = constructsOf(
  [
    ...['$0 ', '$ARGUMENTS ', '$ARGUMENTS[', '\\$0', '$', '$a', '$a-', '$nnz '],
    ...[`$${'a-'.repeat(8_000)} `, `$${'a-'.repeat(80)}b `],
  ],
  490_000,
  (unit) => [names, parts].map((declared) => activate((size) => body(fill(unit, size), `arguments: ${declared}\n`))),
);

const files = constructsOf(
  ['\n', '\r', '#\n', '# a\n', '# \n## \n', '```\n', '#', '#\u2028', `#${' '.repeat(9_000)}\u2028`, '漢', '\u200b'],
  5_000_000,
  (unit) =>
    [{ section: 'no such' }, { line: 1_000_000 }].map((input) => async (size) => {
      const tool = await toolOf({ 'x/SKILL.md': body('b'), 'x/a.md': fill(unit, size) }, 'read_skill_resource');
      return () => tool?.execute({ skill: 'x', path: 'a.md', ...input });
    }),
);

const messages = constructsOf(
  [
    ...['$', '$x', '$x-', '$a ', '$user:a ', '$1 ', '\\$', '/', '`', '"', '\u201c', '\u201d', "'"],
    ...['<a>', '</a>', '<a', '<a ', '<a></a>', '```\n', '> a\n'],
  ],
  200_000,
  (unit) =>
    ['', '/x '].map((lead) => async (size) => {
      const catalog = await loadCatalog([memorySource({ 'x/SKILL.md': body('$who $0', 'arguments: who\n') })]);
      const message: MessageView = { key: '1', role: 'user', text: lead + fill(unit, size) };
      return () => createToolkit(catalog).prepare([message]);
    }),
);

const marks = [
  '<skill_content name="x" digest="00000000">\nF\n</skill_content>',
  '<skill_active name="x" digest="00000000" />',
  '<skill_content name="y" digest="00000000">\n',
].map((text): Construct => {
  const way = async (size: number) => {
    const catalog = await loadCatalog([memorySource({ 'x/SKILL.md': body('b') })]);
    const conversation = Array.from({ length: size }, (_, index): MessageView => {
      return { key: `${index}`, role: 'tool', results: [{ id: '1', tool: 'activate_skill', text }] };
    });
    return () => createToolkit(catalog).prepare(conversation);
  };
  return { name: JSON.stringify(text), limit: 20_000, bytes: 20_000 * text.length, ways: [way] };
});

const mentions: Construct = {
  name: 'a skill each',
  limit: 2_000,
  // With the catalog, which is text, too.
  bytes: 2_000 * 100,
  ways: [
    async (size) => {
      const skills = Array.from({ length: size }, (_, index) => [
        `s${index}/SKILL.md`,
        body('$0').replace('x', `s${index}`),
      ]);
      const catalog = await loadCatalog([memorySource(Object.fromEntries(skills))]);
      const conversation = Array.from({ length: size }, (_, index): MessageView => {
        return { key: `${index}`, role: 'user', text: `/s${index} word` };
      });
      return () => createToolkit(catalog).prepare(conversation);
    },
  ],
};

const inputs = [
  ['activate_skill', (text: string) => ({ name: text })],
  ['activate_skill', (text: string) => ({ name: 'x', arguments: text })],
  ['read_skill_resource', (text: string) => ({ skill: 'x', path: text })],
  ['read_skill_resource', (text: string) => ({ skill: 'x', path: 'a.md', section: text })],
  ['find_skills', (text: string) => ({ query: text })],
] as const;
/** A conversation whose skill has left the catalog: its name is compared with the name in each call. */
const conversation = { state: { skills: { gone: { by: 'code', at: 1 } } } } as const;
const calls = constructsOf(
  ['a', ' ', 'word ', 'sses', '漢', 'กข', '"', "'", '\u0301\u0323', '\u200d', '<', ':', 'a-'],
  200_000,
  (unit) =>
    inputs.map(([name, input]) => async (size) => {
      const tool = await toolOf({ 'x/SKILL.md': body('$who $0', 'arguments: who\n'), 'x/a.md': '# a\nb' }, name);
      return () => tool?.execute(input(fill(unit, size)), conversation);
    }),
);

const lookAlikes: Construct = {
  name: 'a name among others that look like anything',
  limit: 200_000,
  bytes: 200_000,
  ways: [
    async (size) => {
      const skills = Array.from({ length: 200 }, (_, index) => [
        `s${index}/SKILL.md`,
        body('b').replace('x', `\u0430\u0301\u0323${index}`),
      ]);
      const catalog = await loadCatalog([memorySource(Object.fromEntries(skills))]);
      return () => resolveSkill(catalog, fill('\u0301\u0323', size));
    },
  ],
};

const pieces: Construct = {
  name: 'pieces of one character',
  limit: 1_000_000,
  bytes: 1_000_000,
  ways: [
    (size) => {
      const plan: ScriptPlan = { skill: 'x', path: 'scripts/a.sh', arguments: [], files: new Map(), digest: '' };
      const sandbox: ScriptSandbox = {
        async run({ onOutput }) {
          for (let count = 0; onOutput && count < size; count += 1) onOutput({ stream: 'output', text: 'a' });
          return { exitCode: 0, stdout: '', stderr: '' };
        },
      };
      return () => sandboxRunner(() => sandbox, { name: 'x' }).run(plan);
    },
  ],
};

/** All constructs, by the text that consists of them. */
export const constructs: Readonly<Record<string, readonly Construct[]>> = {
  'frontmatter of 16 KiB': frontmatter,
  'an empty field of 16 KiB': fixes,
  'a tag of 16 KiB': tags,
  'a body of 512 KiB': [...bodies, ...spaces, ...placeholders],
  'a file of 5 MiB': files,
  'a message of 200,000 characters': messages,
  'a conversation of 20,000 marks': marks,
  'a conversation in which users name 2,000 skills': [mentions],
  'a call with 200,000 characters': [...calls, lookAlikes],
  'output of 1,000,000 characters': [pieces],
};
