import { expect, it } from 'vitest';
import { waitForDescriptors } from '../../../src/node/disk/descriptors.ts';

/** An action for which there are too few descriptors a number of times. */
function createAction(failures: number, code: string) {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls <= failures) throw Object.assign(new Error(code), { code });
    return calls;
  };
}

it.each(['EMFILE', 'ENFILE'])('runs an action again after each delay, then gives up: %s', async (code) => {
  expect(await waitForDescriptors(createAction(2, code), undefined, [1, 1])).toBe(3);
  const work = waitForDescriptors(createAction(3, code), undefined, [1, 1]);
  await expect(work).rejects.toMatchObject({ code: 'source-failed' });
});

it('waits for nothing else, and no longer than the signal', async () => {
  expect(() => waitForDescriptors(createAction(1, 'EACCES'), undefined)).toThrow('EACCES');
  const work = waitForDescriptors(createAction(1, 'EMFILE'), AbortSignal.timeout(10), [5000]);
  await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
});
