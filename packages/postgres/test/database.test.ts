import { expect, it } from 'vitest';
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
