import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { loadCatalog } from '@skillful/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { transact } from '../src/database.ts';
import {
  createSkillDatabase,
  type PostgresClient,
  postgresSource,
  type SkillDatabase,
  setUpDatabase,
} from '../src/index.ts';
import { Pool } from './server.ts';

it.each([undefined, null, 'postgres://localhost', {}])(
  'refuses %j in place of a client, and says what to pass',
  (client) => {
    const message = 'Expected a `Pool` of `pg` or a `PGlite`, which connect to the database.';
    expect(() => createSkillDatabase(client as unknown as PostgresClient)).toThrow(
      expect.objectContaining({ code: 'options-invalid', message }),
    );
  },
);

it('refuses a client in place of a database, and says what to pass', async () => {
  const pool = new Pool();
  onTestFinished(() => pool.end());
  const message = 'Expected a database of `createSkillDatabase`.';
  const setUp = setUpDatabase(pool as unknown as SkillDatabase);
  await expect(setUp).rejects.toMatchObject({ code: 'options-invalid', message });
});

it('lives on if the server ends a connection while it is being opened', async () => {
  const message = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(5);
    head.write(type, 0);
    head.writeInt32BE(4 + body.length, 1);
    return Buffer.concat([head, body]);
  };
  const fatal = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  // A server that is ready and gone in the same packet.
  const packet = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I')), message('E', Buffer.from(fatal))];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat(packet)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const pool = new Pool({ host: '127.0.0.1', port, user: 'u', database: 'd', connectionTimeoutMillis: 2000 });
  onTestFinished(() => pool.end());
  const { skills, diagnostics } = await loadCatalog([postgresSource(createSkillDatabase(pool, { timeout: 2000 }))]);
  expect([skills, diagnostics.map(({ code }) => code)]).toEqual([[], ['source-failed']]);
});

it('adds its listeners to a pool once, however many databases are created from it', () => {
  const on = vi.fn();
  const pool = { connect: () => new Promise<never>(() => {}), on };
  for (let round = 0; round < 12; round += 1) createSkillDatabase(pool);
  expect(on.mock.calls.map(([event]) => event)).toEqual(['error', 'connect']);
});

it('leaves no listener on a connection that it returns to the pool', async () => {
  const connection = Object.assign(new EventEmitter(), { query: async () => ({ rows: [] }), release: () => {} });
  const database = createSkillDatabase({ connect: async () => connection, on: () => {} });
  await transact({ database, role: 'skillful_reader', tenant: '' }, async () => {
    expect(connection.listenerCount('error')).toBe(1);
  });
  expect(connection.listenerCount('error')).toBe(0);
});
