import { createToolkit, loadCatalog, memorySource } from '@skillful/core';
import { expect, it } from 'vitest';
import { editMessages, viewMessages } from '../src/conversation.ts';

it('looks at each change a few times only, however many results one message or all of them have', async () => {
  const size = 3_000;
  const catalog = await loadCatalog([memorySource({ 'x/SKILL.md': '---\nname: x\ndescription: d\n---\nb\n' })]);
  const toolkit = createToolkit(catalog);
  const output = { type: 'text', value: 'long' };
  const results = Array.from({ length: size }, (_, index) => {
    return { type: 'tool-result', toolCallId: `c${index}`, toolName: 'activate_skill', output };
  });
  for (const messages of [
    [{ role: 'tool', content: results }],
    results.map((part) => ({ role: 'tool', content: [part] })),
  ]) {
    const views = viewMessages(messages, toolkit);
    let looks = 0;
    const edits = views.flatMap(({ key, results: viewed = [] }) =>
      viewed.map(({ id }) => ({
        key,
        get result() {
          looks += 1;
          return id;
        },
        get text() {
          looks += 1;
          return 'short';
        },
      })),
    );
    const prepared = { ...(await toolkit.prepare(views)), edits };
    const edited = editMessages(messages, views, prepared, toolkit, 'm');
    expect(JSON.stringify(edited).match(/short/g)?.length).toBe(size);
    expect(JSON.stringify(edited)).not.toContain('long');
    expect(looks).toBeLessThanOrEqual(4 * size);
  }
});
