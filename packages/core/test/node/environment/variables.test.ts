import { expect, it } from 'vitest';
import { findVariable, isRooted } from '../../../src/node/environment/variables.ts';

it('a variable is found whatever the case of its name, but only on Windows', () => {
  const environment = { Path: 'x', EMPTY: undefined };
  const read = (platform: NodeJS.Platform) =>
    ['Path', 'PATH', 'EMPTY', 'constructor'].map((name) => findVariable(environment, name, platform));
  expect([read('win32'), read('linux')]).toEqual([
    ['x', 'x', undefined, undefined],
    ['x', undefined, undefined, undefined],
  ]);
  expect(findVariable({ path: 'other', PATH: 'exact' }, 'PATH', 'win32')).toBe('exact');
});

it.each([
  ['C:\\x', true, false],
  ['d:/x', true, false],
  ['\\\\server\\share', true, false],
  ['//server/share', true, true],
  ['C:x', false, false],
  ['\\x', false, false],
  ['/x', false, true],
  ['x', false, false],
  ['', false, false],
])('%j is absolute on Windows: %j, and elsewhere: %j', (path, onWindows, elsewhere) => {
  expect([isRooted(path, true), isRooted(path, false)]).toEqual([onWindows, elsewhere]);
});
