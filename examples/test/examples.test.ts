// Each example goes the whole way, from the skills on the disk to an answer that quotes them.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { describe, expect, test, vi } from 'vitest';
import { run as runLangChain } from '../langchain/index.ts';
import { run as runMastra } from '../mastra/index.ts';
import type { Story } from '../story/story.ts';
import { run as runVercelAi } from '../vercel-ai/index.ts';

const skills = new URL('../skills/', import.meta.url);

vi.stubEnv('OPENAI_API_KEY', '');
vi.stubEnv('ANTHROPIC_API_KEY', '');

const told = ({ disclosures }: Story) => disclosures.map(({ tier, subject }) => `${tier} ${subject}`.trim());

describe.each([
  ['LangChain', runLangChain],
  ['Vercel AI SDK', runVercelAi],
  ['Mastra', runMastra],
])('%s', (framework, run) => {
  test.each([
    ['How should our API paginate the list of orders?', 'api-design-review', 'references/pagination.md'],
    ['Which version number does this release get?', 'release-notes', 'references/choosing-the-version.md'],
    ['Which chart shows our CSV best?', 'csv-report', 'references/charts.md'],
    ['Draft a postmortem of the outage', 'incident-review', 'references/interview-questions.md'],
    ['Is this commit message any good?', 'commit-messages', 'references/examples.md'],
    ['Turn this transcript of a meeting into minutes', 'meeting-minutes', 'references/what-counts.md'],
  ])('%s', async (request, skill, path) => {
    const story = await run(request);
    expect(story).toMatchObject({ framework, offline: true, request });
    expect(told(story)).toEqual(['catalog', `activation ${skill}`, `resource ${skill}/${path}`]);
    const directory = skill === 'meeting-minutes' ? 'meeting-notes' : skill;
    const file = await readFile(new URL(`${directory}/${path}`, skills), 'utf8');
    const heading = file.slice(2, file.indexOf('\n'));
    expect(story.disclosures[2]?.text).toContain(file.trim());
    expect(story.answer).toContain(`I follow the skill ${skill}.`);
    expect(story.answer).toContain(`${path}, “${heading}” says:\n1. `);
  });

  test('a request that no skill covers is answered without one', async () => {
    const story = await run('Where is the nearest swimming pool?');
    expect(told(story)).toEqual(['catalog']);
    expect(story.answer).toBe('I have no skill for that.');
  });
});

test('the three tell the model the same, in the same order', async () => {
  const request = 'Summarise this spreadsheet export';
  const stories = [await runLangChain(request), await runVercelAi(request), await runMastra(request)];
  const [first, ...others] = stories.map(({ answer, disclosures }) => ({
    answer,
    disclosures: disclosures.map(({ tier, subject, text, tokens }) => ({ tier, subject, text, tokens })),
  }));
  expect(first?.disclosures).toHaveLength(3);
  for (const other of others) expect(other).toEqual(first);
});

test('every skill is found, and the lenient one with a diagnostic of each of its two faults', async () => {
  const { catalog } = await runVercelAi('hello');
  expect(catalog.skills.map(({ name }) => name)).toEqual([
    'api-design-review',
    'commit-messages',
    'csv-report',
    'incident-review',
    'meeting-minutes',
    'release-notes',
  ]);
  expect(catalog.diagnostics.map(({ location }) => location.split('/').at(-2))).toEqual([
    'meeting-notes',
    'meeting-notes',
  ]);
});

test('a strict reader rejects the lenient one, and no other', async () => {
  const {
    skills: kept,
    rejected,
    diagnostics,
  } = await loadCatalog([fileSource(fileURLToPath(skills))], { profile: 'strict' });
  expect(kept).toHaveLength(5);
  expect(rejected.map(({ directory }) => directory.split('/').at(-1))).toEqual(['meeting-notes']);
  expect(new Set(diagnostics.map(({ location }) => location.split('/').at(-2)))).toEqual(new Set(['meeting-notes']));
});
