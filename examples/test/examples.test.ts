// Each example goes the whole way, from the skills on the disk to an answer that quotes them.

import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';
import { describe, expect, test } from 'vitest';
import { ask as askLangChain } from '../langchain/index.ts';
import { ask as askMastra } from '../mastra/index.ts';
import { loadSkills, weighSkills } from '../story/skills.ts';
import { follow, type Story, textsOf } from '../story/story.ts';
import { ask as askVercelAi } from '../vercel-ai/index.ts';

const skills = new URL('../skills/', import.meta.url);

const heard = (story: Story) => [...textsOf(story)];

describe.each([
  ['LangChain', askLangChain],
  ['Vercel AI SDK', askVercelAi],
  ['Mastra', askMastra],
])('%s', (framework, ask) => {
  test.each([
    ['How should our API paginate the list of orders?', 'api-design-review', 'references/pagination.md'],
    ['Which version number does this release get?', 'release-notes', 'references/choosing-the-version.md'],
    ['Which chart shows our CSV best?', 'csv-report', 'references/charts.md'],
    ['Draft a postmortem of the outage', 'incident-review', 'references/interview-questions.md'],
    ['Is this commit message any good?', 'commit-messages', 'references/examples.md'],
    ['Turn this transcript of a meeting into minutes', 'meeting-minutes', 'references/what-counts.md'],
  ])('%s', async (request, skill, path) => {
    const story = await follow(framework, ask, request);
    expect(heard(story).map(([name]) => name)).toEqual([
      'system prompt 1',
      'system prompt 2',
      'system prompt 3',
      `activate_skill {"name":"${skill}"}`,
      `read_skill_resource {"skill":"${skill}","path":"${path}"}`,
    ]);
    const offered = { type: 'offered', skills: 6, tokens: 405 };
    const included = { type: 'included', skills: { [skill]: expect.any(String) } };
    expect(story.events).toMatchObject([
      offered,
      { type: 'activated', skill, by: 'model' },
      offered,
      included,
      { type: 'resource-read', skill, path },
      offered,
      included,
    ]);
    const directory = skill === 'meeting-minutes' ? 'meeting-notes' : skill;
    const file = await readFile(new URL(`${directory}/${path}`, skills), 'utf8');
    const heading = file.slice(2, file.indexOf('\n'));
    expect(heard(story).at(-1)?.[1]).toContain(file.trim());
    expect(story.answer).toContain(`I follow the skill ${skill}.`);
    expect(story.answer).toContain(`${path}, “${heading}” says:\n1. `);
  });

  test('a request that no skill covers is answered without one', async () => {
    const story = await follow(framework, ask, 'Where is the nearest swimming pool?');
    expect(story.events).toMatchObject([{ type: 'offered', skills: 6, tokens: 405 }]);
    expect(story.answer).toBe('I have no skill for that.');
  });
});

test('the three tell the model the same, in the same order', async () => {
  const request = 'Summarise this spreadsheet export';
  const first = await follow('LangChain', askLangChain, request);
  expect(first.turns).toHaveLength(3);
  for (const ask of [askVercelAi, askMastra]) {
    const story = await follow('LangChain', ask, request);
    expect(comparable(story)).toEqual(comparable(first));
  }
});

/** What may not differ: each framework writes the schemas of tools, and says which call an event is about, in its own way. */
function comparable({ answer, events, turns }: Story) {
  return {
    answer,
    events: events.map((event) => ({ ...event, about: undefined })),
    turns: turns.map((turn) => ({ ...turn, tools: turn.tools.map(({ name, description }) => [name, description]) })),
  };
}

test('the skills are weighed with all of their files', () => {
  const { files, tokens } = weighSkills();
  expect([files, tokens > 5_000]).toEqual([26, true]);
});

test('every skill is found, and the lenient one with a diagnostic of each of its two faults', async () => {
  const catalog = await loadSkills();
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

test.each(['langchain', 'mastra', 'vercel-ai'])('the code to copy in %s mentions no stand-in', async (framework) => {
  const directory = new URL(`../${framework}/`, import.meta.url);
  const files = (await readdir(directory)).filter((file) => file.endsWith('.ts'));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, directory), 'utf8')));
  expect(files.filter((_, index) => texts[index]?.includes('stand-in'))).toEqual(['model.ts']);
});
