#!/usr/bin/env node
// Reads the marked lines of a review's timeline and prints how long each phase of the incident took.
import { readFileSync } from 'node:fs';

const PHASES = [
  ['Time to detect', 'start', 'detected'],
  ['Time to respond', 'detected', 'responding'],
  ['Time to mitigate', 'start', 'mitigated'],
  ['Time to resolve', 'start', 'resolved'],
];
const EVENT = /^\s*[-*]\s+(?<date>\d{4}-\d{2}-\d{2})[ T](?<time>\d{2}:\d{2}(?::\d{2})?)Z?\s+\[(?<mark>[a-z]+)\]/;

const [file] = process.argv.slice(2);
if (file === undefined || file === '--help') {
  process.stdout.write('usage: durations.mjs REVIEW.md\n');
  process.exit(file === undefined ? 2 : 0);
}

function readMarks(path) {
  const marks = new Map();
  for (const line of readFileSync(path, 'utf8').split(/\r?\n/)) {
    const event = EVENT.exec(line)?.groups;
    if (event === undefined) continue;
    const at = Date.parse(`${event.date}T${event.time}Z`);
    // The first detection counts, and the last resolution: an incident that came back was not over.
    if (!marks.has(event.mark) || event.mark === 'mitigated' || event.mark === 'resolved') marks.set(event.mark, at);
  }
  return marks;
}

function spell(milliseconds) {
  const minutes = Math.round(milliseconds / 60_000);
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ];
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count} ${unit}`)
      .join(' ') || '0 min'
  );
}

let marks;
try {
  marks = readMarks(file);
} catch (error) {
  process.stderr.write(`Cannot read ${file}: ${error.message}\n`);
  process.exit(1);
}

let backwards = false;
for (const [title, from, to] of PHASES) {
  const missing = [from, to].filter((mark) => !marks.has(mark));
  const length = marks.get(to) - marks.get(from);
  backwards ||= length < 0;
  const answer =
    missing.length > 0
      ? `unknown: no line is marked ${missing.map((mark) => `[${mark}]`).join(' or ')}`
      : length < 0
        ? `impossible: [${to}] lies before [${from}]`
        : spell(length);
  process.stdout.write(`${title}: ${answer}\n`);
}
process.exit(backwards ? 1 : 0);
