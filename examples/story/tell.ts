// Runs one example from the command line and prints its story.

import type { Story } from './story.ts';
import { formatCatalog, formatStory } from './transcript.ts';

/** What is asked when nothing is. */
export const defaultRequest = 'Our March orders are a CSV file: is the mean or the median the honest number to report?';

/** Takes the request from the command line. */
export function readRequest(words: readonly string[] = process.argv.slice(2)): string {
  return words.join(' ').trim() || defaultRequest;
}

/** Runs an example and prints its story. */
export async function tell(run: (request: string) => Promise<Story>): Promise<void> {
  const story = await run(readRequest());
  console.log(`“${story.request}”\n\n${formatCatalog(story)}\n\n${formatStory(story)}`);
}
