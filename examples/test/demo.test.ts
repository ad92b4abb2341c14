// The demo as a user starts it: a process with a request, a transcript and an exit code.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const start = promisify(execFile);

/** Runs an example on the sources, so that no build is needed. */
async function runExample(path: string, ...words: string[]): Promise<string> {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const { stdout } = await start(process.execPath, ['--conditions=skillful-source', file, ...words], {
    env: { ...process.env, NO_COLOR: '1', OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '' },
  });
  return stdout;
}

function rowsOf(transcript: string): string[][] {
  const table = transcript.slice(transcript.indexOf('digest of the texts'));
  const rows = table.split('\n').filter((line) => /^ {2}(LangChain|Vercel AI SDK|Mastra) /.test(line));
  return rows.map((row) => row.trim().split(/ {2,}(?!\d)/));
}

test('the demo tells the story of its own request and shows that the three agree', async () => {
  const transcript = await runExample('demo.ts');
  expect(transcript).toMatch(/^“Our March orders are a CSV file: .*”\n\nFound 6 skills\n/);
  expect(transcript.match(/^ {2}activated csv-report /gm)).toHaveLength(3);
  expect(transcript.match(/^ {2}read {6}csv-report\/references\/reading-the-numbers\.md /gm)).toHaveLength(3);
  expect(transcript.split('\n').filter((line, index) => index > 0 && line.length > 80)).toEqual([]);
  const rows = rowsOf(transcript);
  expect(rows.map(([framework]) => framework)).toEqual(['LangChain', 'Vercel AI SDK', 'Mastra']);
  expect(new Set(rows.map((row) => row.at(-1))).size).toBe(1);
  expect(transcript).toMatch(/\nLangChain, Vercel AI SDK, Mastra told the model the same [\d,]+ bytes\.\n$/);
});

test('the demo takes a request of several words', async () => {
  const transcript = await runExample('demo.ts', 'Write', 'a', 'postmortem', 'of', 'the', 'outage');
  expect(transcript).toMatch(/^“Write a postmortem of the outage”\n/);
  expect(transcript.match(/^ {2}activated incident-review /gm)).toHaveLength(3);
});

test('the demo takes a request of one word, and says so when no skill fits', async () => {
  const transcript = await runExample('demo.ts', 'Where is the nearest swimming pool?');
  expect(transcript).toMatch(/^“Where is the nearest swimming pool\?”\n/);
  expect(transcript).toContain('  │ I have no skill for that.\n');
  expect(transcript).toMatch(/ told the model the same [\d,]+ bytes\.\n$/);
});

test.each(['langchain', 'vercel-ai', 'mastra'])('the example of %s runs alone', async (example) => {
  const output = await runExample(`${example}/index.ts`, 'Is this commit message any good?');
  expect(output).toMatch(/^\{\s+type: 'offered',\s+skills: 6,\s+tokens: 405\b/);
  expect(output).toContain("  type: 'activated',\n  skill: 'commit-messages',\n");
  expect(output).toContain('\nI follow the skill commit-messages. “Commit messages” says:\n1. ');
});
