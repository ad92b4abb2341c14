import { expect, it, vi } from 'vitest';
import { createSkillDatabase, type PostgresClient } from '../src/index.ts';

it.each([undefined, null, 'postgres://localhost', {}])(
  'refuses %j in place of a client, and says what to pass',
  (client) => {
    const message = 'Expected a `Pool` of `pg` or a `PGlite`, which connect to the database.';
    expect(() => createSkillDatabase(client as unknown as PostgresClient)).toThrow(
      expect.objectContaining({ code: 'options-invalid', message }),
    );
  },
);

it('adds one listener to a pool, however many databases are created from it', () => {
  const on = vi.fn();
  const pool = { connect: () => new Promise<never>(() => {}), on };
  for (let round = 0; round < 12; round += 1) createSkillDatabase(pool);
  expect(on).toHaveBeenCalledTimes(1);
});
