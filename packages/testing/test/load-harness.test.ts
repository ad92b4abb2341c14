import { expect, it } from 'vitest';
import { loadHarness } from '../src/load-harness.ts';

it('says what a module of a harness lacks', async () => {
  await expect(loadHarness(import.meta.filename)).rejects.toThrow(
    `\`${import.meta.filename}\` does not export an AdapterHarness named \`harness\`. Add \`export const harness\`.`,
  );
});
