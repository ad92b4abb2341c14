// The main job, end to end: three agents, three frameworks, the same skills, and not a byte of difference.

import { loadSkills, weighSkills } from './story/skills.ts';
import { findDifferences, follow } from './story/story.ts';
import { formatCatalog, formatStory, formatTable, formatVerdict } from './story/transcript.ts';

process.env.MASTRA_TELEMETRY_DISABLED = '1';

const request =
  process.argv.slice(2).join(' ').trim() ||
  'Our March orders are a CSV file: is the mean or the median the honest number to report?';
console.log(`“${request}”\n\n${formatCatalog(await loadSkills())}\n`);

const examples = [
  ['LangChain', () => import('./langchain/index.ts')],
  ['Vercel AI SDK', () => import('./vercel-ai/index.ts')],
  ['Mastra', () => import('./mastra/index.ts')],
] as const;
const stories = [];
for (const [framework, load] of examples) {
  const story = await follow(framework, (await load()).ask, request);
  const repeated = stories.find(({ answer }) => answer === story.answer);
  const answer = repeated === undefined ? story.answer : `(the same answer as ${repeated.framework}'s)`;
  console.log(`${formatStory({ ...story, answer })}\n`);
  stories.push(story);
}

const { files, tokens } = weighSkills();
console.log(formatTable(stories));
console.log(`  All ${files} files of these skills in the prompt: ${tokens.toLocaleString('en')} tokens.\n`);
console.log(formatVerdict(stories));
if (findDifferences(stories).length > 0) process.exitCode = 1;
