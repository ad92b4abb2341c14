// Installs the workspace unless what is installed fits its lockfile, with one line of progress: pnpm prints dozens.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// pnpm keeps a copy of the lockfile that it installed from.
const [wanted, installed] = ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((path) =>
  existsSync(path) ? readFileSync(path, 'utf8') : undefined,
);
if (wanted !== installed) await install();

async function install() {
  const { stderr } = process;
  if (!stderr.isTTY) stderr.write('Installing packages\n');
  const child = spawn('pnpm', ['install', '--frozen-lockfile', '--reporter=ndjson'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  const ended = new Promise((end) => child.on('close', end).on('error', end));
  const counts = new Map();
  const problems = [];
  for await (const line of createInterface({ input: child.stderr })) {
    const event = parse(line);
    if (event?.name === 'pnpm:progress') counts.set(event.status, (counts.get(event.status) ?? 0) + 1);
    else if (event === undefined || event.level === 'error')
      problems.push(event?.message ?? event?.err?.message ?? line);
    if (stderr.isTTY) {
      stderr.write(`\rInstalling packages: ${counts.get('imported') ?? 0} of ${counts.get('resolved') ?? '…'}`);
    }
  }
  const code = await ended;
  if (stderr.isTTY) stderr.write('\n');
  if (code === 0) return;
  if (code instanceof Error) problems.push(code.message);
  stderr.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
}

function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
