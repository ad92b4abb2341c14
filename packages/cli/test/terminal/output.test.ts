import { expect, it } from 'vitest';
import { quote } from '../../src/terminal/output.ts';

it.each([
  ['linux', 'skills/pdf', 'skills/pdf'],
  ['linux', 'my skills/pdf', "'my skills/pdf'"],
  ['linux', "ada's", `'ada'\\''s'`],
  ['win32', 'pdf', 'pdf'],
  ['win32', 'C:\\skills\\pdf', '"C:\\skills\\pdf"'],
  ['win32', 'C:\\my skills\\', '"C:\\my skills\\\\"'],
  ['win32', 'x$(id)', "'x$(id)'"],
  ['win32', 'x`id`', "'x`id`'"],
  ['win32', '\\\\host\\skills', "'\\\\host\\skills'"],
] as const)('on %s, %s is an argument of a command as %s', (platform, argument, expected) => {
  expect(quote(argument, platform)).toBe(expected);
});
