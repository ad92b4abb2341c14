import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { transact } from '../src/database.ts';
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

it('leaves no listener on a connection that it returns to the pool', async () => {
  const connection = Object.assign(new EventEmitter(), { query: async () => ({ rows: [] }), release: () => {} });
  const database = createSkillDatabase({ connect: async () => connection, on: () => {} });
  await transact({ database, role: 'skillful_reader', tenant: '' }, async () => {
    expect(connection.listenerCount('error')).toBe(1);
  });
  expect(connection.listenerCount('error')).toBe(0);
});
