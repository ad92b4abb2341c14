// A real server in a temporary directory, which a test can kill and start again.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Pool, type PoolConfig } from 'pg';

export { Pool };

const [binaries] = globSync('/usr/lib/postgresql/*/bin').sort().reverse();

/** Whether a server is installed. In CI it has to be. */
export const hasServer: boolean = binaries !== undefined && existsSync(join(binaries, 'initdb'));
if (!hasServer && process.env['CI'] === 'true') {
  throw new Error('PostgreSQL is NOT INSTALLED: apt-get install postgresql');
}
if (!hasServer) process.stderr.write('PostgreSQL is NOT INSTALLED, so the tests with a real server are SKIPPED.\n');

/** A server of one's own, with the superuser `postgres`. */
export interface Server {
  /** How `pg` connects to it. */
  readonly connection: PoolConfig;
  start(): Promise<void>;
  /** Ends it as a crash would: no connection is closed in order. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** The server does not run as root. */
const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;

function idOf(option: string): number {
  return Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
}

/** Creates and starts a server. By default it does not wait for its disk. */
export async function startServer(own: readonly string[] = ['fsync=off']): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), 'skillful-postgres-'));
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const options = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  execFileSync(join(binaries ?? '', 'initdb'), ['-D', data, ...options], { ...user, cwd: directory, stdio: 'ignore' });
  const connection: PoolConfig = { host: directory, user: 'postgres', database: 'postgres' };
  let running: ChildProcess | undefined;

  async function start(): Promise<void> {
    const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, 'max_connections=30', ...own];
    running = spawn(join(binaries ?? '', 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...{ ...user, cwd: directory, stdio: 'ignore' },
    });
    // A killed server first repeats what it had not written to its tables.
    for (let attempt = 0; attempt < 1200; attempt += 1) {
      const pool = new Pool({ ...connection, max: 1 });
      const isUp = await pool.query('select 1').then(
        () => true,
        () => false,
      );
      await pool.end();
      if (isUp) return;
      await setTimeout(50);
    }
    throw new Error('The server did not start.');
  }

  async function kill(): Promise<void> {
    if (running?.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGQUIT');
    await once(running, 'exit');
  }

  await start();
  return {
    connection,
    start,
    kill,
    async close() {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
