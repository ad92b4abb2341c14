import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToolkit, definePolicy, loadCatalog, memorySource } from '../../../src/index.ts';
import { loadSettings, setProjectTrusted, settingsConsents, withdrawConsents } from '../../../src/node/index.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'skillful-consents-'));
});
afterEach(() => rm(home, { recursive: true }));
const own = () => ({ home, environment: {} });
const path = () => join(home, '.config', 'skillful', 'settings.json');

const policy = definePolicy({ rules: [{ actor: 'model', action: 'activate', effect: 'ask' }] });
const pdf = '---\nname: pdf\ndescription: d\n---\nFill it.';

/** A process of its own: what it remembers is in the settings. */
async function start(text = pdf) {
  const catalog = await loadCatalog([memorySource({ 'pdf/SKILL.md': text, 'pdf/form.md': 'x' })]);
  const toolkit = createToolkit(catalog, { policy, consent: { store: settingsConsents(own()), remember: true } });
  const judge = () => toolkit.judge({ name: 'activate_skill', input: { name: 'pdf' } }, { call: 'c1' });
  const run = async () => (await toolkit.tools[0]?.execute({ name: 'pdf' }, { call: 'c1' }))?.isError;
  return { toolkit, judge, run };
}

async function agree(): Promise<void> {
  const { judge, run } = await start();
  await judge();
  expect(await run()).toBe(false);
}

describe('settingsConsents', () => {
  it('keeps what a person agreed to for the next process, and no question', async () => {
    const asking = await start();
    await asking.judge();
    await expect(readFile(path())).rejects.toMatchObject({ code: 'ENOENT' });
    await agree();
    const { judge, run } = await start();
    expect(await judge()).toEqual({ effect: 'none' });
    expect(await run()).toBe(false);
    expect(Object.values((await loadSettings(own())).trust.consents)).toEqual([
      {
        ...{ state: 'agreed', action: 'activate', skill: 'builtin:pdf', source: 'memory' },
        ...{ digest: expect.stringMatching(/^sha256:/), files: expect.any(Object), at: expect.any(Number) },
      },
    ]);
  });

  it('fails while the settings cannot be read, so that no consent counts as withdrawn', async () => {
    await agree();
    const text = await readFile(path(), 'utf8');
    await writeFile(path(), text.slice(0, -9));
    const store = settingsConsents(own());
    await expect(async () => store.get('key')).rejects.toMatchObject({ code: 'settings-invalid' });
    await writeFile(path(), text);
    expect(await store.get('key')).toBeUndefined();
  });

  it('keeps what a person agreed to in one project from another one, also if all names are the same', async () => {
    const judgeIn = async (project: string) => {
      const source = { ...memorySource({ 'pdf/SKILL.md': pdf }, { id: 'project', scope: 'project' }), project };
      const catalog = await loadCatalog([source]);
      const toolkit = createToolkit(catalog, { policy, consent: { store: settingsConsents(own()), remember: true } });
      const { effect } = await toolkit.judge({ name: 'activate_skill', input: { name: 'pdf' } }, { call: 'c1' });
      if (effect === 'ask') await toolkit.tools[0]?.execute({ name: 'pdf' }, { call: 'c1' });
      return effect;
    };
    expect([await judgeIn('/a'), await judgeIn('/a'), await judgeIn('/b')]).toEqual(['ask', 'none', 'ask']);
  });

  it('keeps only as much as can be read at each call, the newest first', async () => {
    const store = settingsConsents(own());
    const files = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [`${index}`, `sha256:${'0'.repeat(64)}`]),
    );
    const record = { state: 'agreed', action: 'run', skill: 'user:a', source: 'user', digest: 'd', files } as const;
    for (let at = 1; at <= 6; at += 1) await store.set(`key ${at}`, { ...record, at });
    expect(Object.keys((await loadSettings(own())).trust.consents)).toEqual(['key 6', 'key 5', 'key 4', 'key 3']);
  });

  it('says which files changed since', async () => {
    await agree();
    const { judge } = await start(`${pdf} Now.`);
    expect(await judge()).toMatchObject({ effect: 'ask', question: { changed: ['SKILL.md'] } });
  });

  it.each(['pdf', 'builtin:pdf'])('forgets what is withdrawn as %s', async (name) => {
    await agree();
    await setProjectTrusted(home, true, own());
    expect(await withdrawConsents('df', own())).toBe(0);
    expect(await withdrawConsents(name, own())).toBe(1);
    expect(await (await start()).judge()).toMatchObject({ effect: 'ask' });
    expect((await loadSettings(own())).trustedProjects).toEqual([home]);
  });

  it.each(['form', 'plugin:form', 'lint/form', 'plugin:lint/form'])(
    'keeps apart what two plugins have of the same name, and forgets it as %s',
    async (name) => {
      const source = memorySource({ 'form/SKILL.md': pdf.replace('pdf', 'form') }, { id: 'plugin', scope: 'plugin' });
      const ofPlugin = async (plugin: string) => {
        const list = async () => {
          const listing = await source.list();
          return { ...listing, entries: listing.entries.map((entry) => ({ ...entry, plugin })) };
        };
        const store = settingsConsents(own());
        return createToolkit(await loadCatalog([{ ...source, list }]), { policy, consent: { store, remember: true } });
      };
      for (const plugin of ['lint', 'docs']) {
        const toolkit = await ofPlugin(plugin);
        await toolkit.judge({ name: 'activate_skill', input: { name: 'form' } }, { call: 'c1' });
        await toolkit.tools[0]?.execute({ name: 'form' }, { call: 'c1' });
      }
      const { consents } = (await loadSettings(own())).trust;
      expect(
        Object.values(consents)
          .map(({ skill }) => skill)
          .sort(),
      ).toEqual(['plugin:docs/form', 'plugin:lint/form']);
      expect(await withdrawConsents(name, own())).toBe(name.includes('lint') ? 1 : 2);
    },
  );

  it('means no if the settings are broken', async () => {
    await agree();
    const text = await readFile(path(), 'utf8');
    await writeFile(path(), text.replace('"skills": {', '"skills": 1, "x": {'));
    expect(await (await start()).run()).toBe(true);
    await writeFile(path(), text.replace('"agreed"', '"given"'));
    expect(await (await start()).run()).toBe(true);
  });
});

describe('withdrawConsents in the middle of a conversation', () => {
  it('ends the skill in every process', async () => {
    const { toolkit, judge } = await start();
    await judge();
    const text = (await toolkit.tools[0]?.execute({ name: 'pdf' }, { call: 'c1' }))?.text ?? '';
    const results = [{ id: 'c1', tool: 'activate_skill', text }];
    const messages = [{ key: 't1', role: 'tool' as const, results }];
    const { active, state } = await toolkit.prepare(messages);
    expect(active).toHaveLength(1);
    const elsewhere = await start();
    expect((await elsewhere.toolkit.prepare(messages, { state })).active).toHaveLength(1);
    await withdrawConsents('pdf', own());
    for (const process of [toolkit, elsewhere.toolkit])
      expect((await process.prepare(messages, { state })).active).toEqual([]);
  });
});

it.each(['PDF', 'Builtin:Pdf', 'ｐｄｆ'])(
  'withdrawConsents knows a skill by a name that looks the same: %s',
  async (name) => {
    await agree();
    expect(await withdrawConsents('pd', own())).toBe(0);
    expect(await withdrawConsents(name, own())).toBe(1);
  },
);
