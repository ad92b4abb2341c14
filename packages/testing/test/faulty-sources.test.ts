// Checks that `testSource` notices faults, because a test that is always green proves nothing.

import { expect, it } from 'vitest';
import { startVitest } from 'vitest/node';

it('finds the fault of each faulty source', async () => {
  const conditions = ['skillful-source', 'node'];
  const vitest = await startVitest(
    'test',
    [],
    { root: import.meta.dirname, config: false, include: ['faulty/sources.ts'], watch: false, reporters: [{}] },
    { resolve: { conditions }, ssr: { resolve: { conditions } } },
  );
  const suites = vitest.state.getTestModules().flatMap(({ children }) => [...children.suites()]);
  const sound = suites.filter((suite) => suite.state() !== 'failed').map(({ name }) => name);
  await vitest.close();
  expect([suites.length, sound]).toEqual([16, []]);
});
