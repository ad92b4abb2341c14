#!/usr/bin/env node
// Profiles the columns of a CSV file as a Markdown table, reading it as a stream.
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';

const USAGE = 'usage: profile.mjs FILE [--delimiter CHARACTER]\n';
const DISTINCT_LIMIT = 100_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { delimiter: { type: 'string' }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (positionals.length !== 1) {
  process.stderr.write(USAGE);
  process.exit(2);
}

/** Yields the records of RFC 4180 text: quoted fields may hold the delimiter, line breaks and doubled quotes. */
async function* readRecords(chunks, delimiter) {
  let field = '';
  let record = [];
  let quoted = false;
  let previousQuote = false;
  let previousReturn = false;
  for await (const chunk of chunks) {
    for (const character of chunk) {
      const afterReturn = previousReturn;
      previousReturn = false;
      if (quoted && character === '"') {
        quoted = false;
        previousQuote = true;
        continue;
      }
      if (quoted) {
        field += character;
        continue;
      }
      if (character === '"' && (previousQuote || field === '')) {
        if (previousQuote) field += '"';
        quoted = true;
      } else if (character === delimiter) {
        record.push(field);
        field = '';
      } else if (character === '\n' || character === '\r') {
        previousReturn = character === '\r';
        if (!(character === '\n' && afterReturn)) {
          record.push(field);
          if (record.length > 1 || record[0] !== '') yield record;
          field = '';
          record = [];
        }
      } else {
        field += character;
      }
      previousQuote = false;
    }
  }
  if (field !== '' || record.length > 0) yield [...record, field];
}

/** Chooses the separator that occurs most often in the first line. */
async function guessDelimiter(file) {
  let head = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', end: 65_535 })) head += chunk;
  const line = head.slice(0, head.search(/[\r\n]|$/));
  const counts = [',', ';', '\t', '|'].map((candidate) => ({ candidate, count: line.split(candidate).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).candidate;
}

const column = (name) => ({
  name,
  filled: 0,
  numbers: [],
  dates: 0,
  low: undefined,
  high: undefined,
  values: new Set(),
});

function add(profile, text) {
  const value = text.trim();
  if (value === '') return;
  profile.filled += 1;
  if (profile.values.size < DISTINCT_LIMIT) profile.values.add(value);
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value)) profile.numbers.push(Number(value));
  if (/^\d{4}-\d{2}-\d{2}/.test(value)) profile.dates += 1;
  if (profile.low === undefined || value < profile.low) profile.low = value;
  if (profile.high === undefined || value > profile.high) profile.high = value;
}

const round = (number) => String(Number(number.toPrecision(6)));
const cell = (text) =>
  (text.length > 30 ? `${text.slice(0, 29)}…` : text).split('|').join('\\|').split(/\s+/).join(' ');

function describe(profile, rows) {
  const { name, filled, numbers, dates, values: distinct } = profile;
  const count = `${distinct.size}${distinct.size === DISTINCT_LIMIT ? '+' : ''}`;
  const start = [cell(name), `${filled} of ${rows}`, count];
  if (filled === 0) return [start[0], 'empty', ...start.slice(1), '', '', '', ''];
  if (numbers.length === filled) {
    const sorted = Float64Array.from(numbers).sort();
    const middle = (sorted[Math.floor((filled - 1) / 2)] + sorted[Math.ceil((filled - 1) / 2)]) / 2;
    const mean = sorted.reduce((sum, number) => sum + number, 0) / filled;
    return [start[0], 'number', ...start.slice(1), ...[sorted[0], sorted[filled - 1], mean, middle].map(round)];
  }
  const kind = dates === filled ? 'date' : numbers.length > filled / 2 ? `text (${numbers.length} numbers)` : 'text';
  return [start[0], kind, ...start.slice(1), cell(profile.low), cell(profile.high), '', ''];
}

const [file] = positionals;
try {
  const delimiter = values.delimiter ?? (await guessDelimiter(file));
  let columns;
  let rows = 0;
  let ragged = 0;
  for await (const record of readRecords(createReadStream(file, { encoding: 'utf8' }), delimiter)) {
    if (columns === undefined) {
      const [first, ...rest] = record;
      columns = [first.startsWith('\uFEFF') ? first.slice(1) : first, ...rest].map(column);
      continue;
    }
    rows += 1;
    if (record.length !== columns.length) ragged += 1;
    for (const [index, profile] of columns.entries()) add(profile, record[index] ?? '');
  }
  const header = ['column', 'kind', 'filled', 'distinct', 'lowest', 'highest', 'mean', 'median'];
  const table = [header, header.map(() => '---'), ...(columns ?? []).map((profile) => describe(profile, rows))];
  process.stdout.write(`${table.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n\n${rows} rows`);
  process.stdout.write(ragged === 0 ? '\n' : `, ${ragged} of them with more or fewer cells than the header\n`);
} catch (error) {
  process.stderr.write(`Cannot read ${file}: ${error.message}\n`);
  process.exit(1);
}
