// Records a command in a fresh clone with empty stores, as a person at a terminal sees it: `record.ts demo` writes docs/demo.svg,
// and `record.ts test` docs/test.svg. It needs tmux, which plays the terminal.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const script = process.argv[2] ?? 'demo';
const command = `npx -y pnpm@12 ${script === 'test' ? 'test' : `run ${script}`}`;
const place = mkdtempSync(join(tmpdir(), 'skillful-record-'));
const tmux = (...args: readonly string[]): string =>
  execFileSync('tmux', ['-L', `skillful-${process.pid}`, '-f', '/dev/null', ...args], { encoding: 'utf8' });

const columns = 90;
/** A recording with more lines is cut. */
const longest = 100;
/** This many of its first and last lines are kept then. */
const most = 12;
const palette = ['#6e7681', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#e6edf3'];

/** Returns the attributes of a text after a list of codes, such as `1;32`. */
function style(codes: string): string {
  let attributes = '';
  for (const code of codes.split(';').map(Number)) {
    if (code === 1) attributes += ' font-weight="bold"';
    if (code === 2) attributes += ' opacity="0.6"';
    const colour = palette[code >= 90 ? code - 90 : code - 30];
    if (colour !== undefined && (code < 38 || code >= 90)) attributes += ` fill="${colour}"`;
  }
  return attributes;
}

const escapeText = (text: string): string => text.replace(/[&<>]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Draws lines of a terminal, with their codes for colours. */
function draw(lines: readonly string[]): string {
  const rows = lines.map((line, row) => {
    const [first = '', ...parts] = line.split('\u001b[');
    const spans = parts.map((part) => {
      const [, codes = '', text = ''] = /^([\d;]*)m(.*)$/s.exec(part) ?? [];
      return text === '' ? '' : `<tspan${style(codes)}>${escapeText(text)}</tspan>`;
    });
    return `<text x="12" y="${26 + row * 17}">${escapeText(first)}${spans.join('')}</text>`;
  });
  const [width, height] = [columns * 7.8 + 24, lines.length * 17 + 26];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>What ${escapeText(command)} prints</title>`,
    `<rect width="100%" height="100%" rx="6" fill="#0d1117"/>`,
    `<g font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13" fill="#e6edf3" xml:space="preserve">`,
    ...rows,
    '</g></svg>\n',
  ].join('\n');
}

function shorten(lines: readonly string[]): readonly string[] {
  if (lines.length <= longest) return lines;
  const left = `\u001b[90m⋮ ${lines.length - 2 * most} more lines\u001b[0m`;
  return [...lines.slice(0, most), left, ...lines.slice(-most)];
}

try {
  const clone = join(place, 'skillful');
  const home = join(place, 'home');
  mkdirSync(home);
  execFileSync('git', ['clone', '--quiet', root, clone]);
  const stores = `HOME=${home} XDG_DATA_HOME=${home}/data XDG_CACHE_HOME=${home}/cache npm_config_cache=${home}/npm`;
  const shell = `cd ${clone} && ${stores} ${command}; echo $? > ${place}/status; sleep 60`;
  tmux(...`set-option -g history-limit 50000 ; new-session -d -x ${columns} -y 300`.split(' '), shell);
  for (let seconds = 0; !existsSync(join(place, 'status')) && seconds < 3600; seconds += 1) await wait(1000);
  const screen = tmux('capture-pane', '-p', '-e', '-S', '-').replaceAll(place, '').trimEnd();
  const status = readFileSync(join(place, 'status'), 'utf8').trim();
  if (status !== '0') throw new Error(`${command} ended with ${status}:\n${screen}`);
  writeFileSync(join(root, `docs/${script}.svg`), draw([`$ ${command}`, ...shorten(screen.split('\n'))]));
} finally {
  tmux('kill-server');
  rmSync(place, { recursive: true, force: true });
}
