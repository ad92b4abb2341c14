// The main job, end to end: three agents, three frameworks, the same skills, and not a byte of difference.

import { readRequest } from './story/tell.ts';
import { findDifferences, formatCatalog, formatStory, formatTable, formatVerdict } from './story/transcript.ts';

process.env.MASTRA_TELEMETRY_DISABLED = '1';

const request = readRequest();
const frameworks = [
  await import('./langchain/index.ts'),
  await import('./vercel-ai/index.ts'),
  await import('./mastra/index.ts'),
];

console.log(`“${request}”\n`);
const stories = [];
for (const { run } of frameworks) {
  const story = await run(request);
  if (stories.length === 0) console.log(`${formatCatalog(story)}\n`);
  const repeated = stories.find(({ answer }) => answer === story.answer);
  console.log(
    `${formatStory(repeated === undefined ? story : { ...story, answer: `(the same answer as ${repeated.framework}'s)` })}\n`,
  );
  stories.push(story);
}

const differences = findDifferences(stories);
console.log(`${formatTable(stories)}\n\n${formatVerdict(stories, differences)}`);
if (differences.length > 0) process.exitCode = 1;
