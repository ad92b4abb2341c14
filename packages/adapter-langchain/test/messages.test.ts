import { ToolMessage } from '@langchain/core/messages';
import { expect, it } from 'vitest';
import { editMessages, viewMessages } from '../src/messages.ts';
import { toolkitOf } from './support.ts';

it('looks at each change a few times only, however many messages there are', () => {
  const toolkit = toolkitOf();
  const size = 3_000;
  const messages = Array.from({ length: size }, (_, index) => {
    return new ToolMessage({ id: `m${index}`, tool_call_id: `c${index}`, name: 'activate_skill', content: 'long' });
  });
  const views = viewMessages(messages, toolkit);
  let looks = 0;
  const edits = views.map(({ key, results = [] }) => ({
    get key() {
      looks += 1;
      return key;
    },
    result: results[0]?.id ?? '',
    text: 'short',
  }));
  expect(new Set(editMessages(messages, views, edits, { toolkit, profile: {} }).map(({ text }) => text))).toEqual(
    new Set(['short']),
  );
  expect(looks).toBeLessThanOrEqual(4 * size);
});
