import { expect, it } from 'vitest';
import { interpreterOf, optionsFor } from '../../src/scripts/interpreter.ts';

const read = (line: string, path = 'scripts/a') => interpreterOf(path, new TextEncoder().encode(line));

it.each([
  ['#!/usr/bin/env python3', 'python3', []],
  ['#!env python3', 'python3', []],
  ['#!/usr/bin/env -S deno run --allow-read\n', 'deno', ['run', '--allow-read']],
  ['#!/usr/bin/env node --no-warnings\r\n', 'node', ['--no-warnings']],
  ['#!/usr/bin/perl -w -T\n', 'perl', ['-w', '-T']],
  ['#! /bin/sh -\n', 'sh', ['-']],
  // Otherwise, the shell of a sandbox would get a character that ends its command line.
  ['#!/bin/sh -e\0x\n', 'sh', ['-e']],
  ['#!/usr/bin/env -S python3 -c "print(1)"\n', 'python3', ['-c', 'print(1)']],
  ['#!/usr/bin/env python3 # -*- coding: utf-8 -*-\n', 'python3', []],
  ['#!/usr/bin/env python3 #-u\n', 'python3', []],
  ["#!/usr/bin/env -S perl -pe 's/ #.*//' # don't\n", 'perl', ['-pe', 's/ #.*//']],
] as const)('reads the program and its options from %j', (line, name, options) => {
  expect(read(line)).toEqual({ name, options });
});

it.each([
  '#!/usr/bin/env -S uv run --script',
  '#!/usr/bin/env',
  '#!/opt/environment perl -w',
  '#!/opt/myenv perl -w',
  'x = 1 #!/usr/bin/perl -w',
  '#!',
  '',
])('takes the extension, and no options, if the first line is %j', (line) => {
  expect(read(`${line}\n`, 'scripts/a.PY')).toEqual({ name: 'python3', options: [] });
});

it.each([
  ['/usr/bin/python3', ['-u']],
  ['python3.12', ['-u']],
  ['C:\\Python\\python.exe', ['-u', '-X', 'utf8']],
  ['C:\\Windows\\py.exe', ['-u', '-X', 'utf8']],
  ['/usr/bin/node', []],
  ['/opt/python3/bin/node', []],
])('gives %s the options %j', (program, options) => {
  expect(optionsFor(program)).toEqual(options);
});

it.each([
  ['/usr/bin/python3', ['-u', '-I']],
  ['/usr/bin/pwsh', ['-I']],
  ['C:\\v1.0\\powershell.exe', ['-I', '-NoProfile', '-ExecutionPolicy', 'Bypass', '-File']],
])('adds the options of a script to those of %s, so that the script can follow', (program, options) => {
  expect(optionsFor(program, ['-I'])).toEqual(options);
});

it('gives the PowerShell of Windows `-File` once, even if the first line of the script has it', () => {
  const options = optionsFor('C:\\v1.0\\powershell.exe', ['-NoLogo', '-fi', '-File']);
  expect(options).toEqual(['-NoLogo', '-NoProfile', '-ExecutionPolicy', 'Bypass', '-File']);
});
