import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSkillError } from '../../src/skill/error.ts';
import {
  checkCalledPath,
  checkListedPath,
  checkResourcePath,
  isPathFor,
  lastSegment,
  splitLink,
} from '../../src/skill/paths.ts';

function codeOf(path: unknown): string | readonly string[] {
  try {
    return checkResourcePath(path as string);
  } catch (error) {
    if (isSkillError(error)) return error.code;
    throw error;
  }
}

describe('checkResourcePath', () => {
  it.each([
    ['references/guide.md', ['references', 'guide.md']],
    ['./scripts/./run.sh', ['scripts', 'run.sh']],
    ['pages/[...nextauth].ts', ['pages', '[...nextauth].ts']],
    ['..hidden/...md', ['..hidden', '...md']],
    ['a..b', ['a..b']],
    ['%2e%2e%2fkey', ['%2e%2e%2fkey']],
    ['$HOME/.ssh/id_rsa', ['$HOME', '.ssh', 'id_rsa']],
    ['~/x', ['~', 'x']],
    ['console.md', ['console.md']],
    ['技能/说明.md', ['技能', '说明.md']],
    [`${'é'.repeat(127)}.`.slice(0, -1), ['é'.repeat(127)]],
  ])('splits %j', (path, segments) => {
    expect(checkResourcePath(path)).toEqual(segments);
  });

  it.each([
    '../pdf-secret/key',
    'a/../b',
    '/etc/passwd',
    '//127.0.0.1/share/x',
    'C:win.ini',
    'c:/windows/win.ini',
    '\\Windows\\win.ini',
    '\\\\?\\C:\\x',
    'a\\..\\b',
    'SKILL.md:hidden',
    'file:///etc/passwd',
    'SKILL.md\0.png',
    'a\nb',
    'a\u0085b',
    'refs/\ud800.md',
    '',
    '.',
    './',
    '/',
    'refs/',
    'a//b',
    'refs/a.md.',
    'refs/a.md ',
    'refs /a.md',
    'CON',
    'refs/nul.txt',
    'refs/aux .md',
    'com1.md',
    'LPT9',
    'a/'.repeat(600),
    'a/../'.repeat(10_000),
    'é'.repeat(128),
  ])('refuses %j', (path) => {
    expect(codeOf(path)).toBe('resource-outside-skill');
  });

  it.each([
    [['..', 'key']],
    [1],
    [null],
    [undefined],
    [new URL('file:///etc/passwd')],
    [{ toString: () => 'SKILL.md' }],
    [new String('SKILL.md')],
  ])('refuses what is not a string: %s', (path) => {
    expect(codeOf(path)).toBe('resource-outside-skill');
  });

  it('accepts nothing that resolves outside', () => {
    const part = fc.oneof(
      fc.constantFrom('..', '.', '', 'a', '/', '\\', 'C:', 'nul', ' '),
      fc.string({ unit: 'binary' }),
    );
    const path = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, (text) => {
        const segments = codeOf(text);
        if (typeof segments === 'string') return;
        const joined = posix.join('/skill', ...segments);
        expect(joined.startsWith('/skill/')).toBe(true);
        expect(posix.normalize(text).replace(/^\.\//, '')).toBe(segments.join('/'));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('checkListedPath', () => {
  it.each([
    ['references/guide.md', ['references', 'guide.md']],
    ['refs/a\nb\u001b[31m.md', ['refs', 'a\nb\u001b[31m.md']],
    ['a\\b', ['a\\b']],
    ['C:win.ini', ['C:win.ini']],
    ['nul.', ['nul.']],
    ['~/ ', ['~', ' ']],
  ])('splits %j', (path, segments) => {
    expect(checkListedPath(path)).toEqual(segments);
  });

  it.each([
    '..',
    '../a',
    'a/../b',
    'a/..',
    '.',
    './a',
    'a/./b',
    '/a',
    '//a',
    '',
    'a/',
    'a//b',
    'a\0',
    '\ud800',
    'a\udc00/b',
  ])('refuses %j', (path) => {
    expect(isPathFor(checkListedPath, path)).toBe(false);
  });

  it('refuses what is longer than a system can open, what is not a string, and shows no control characters', () => {
    expect(isPathFor(checkListedPath, 'a'.repeat(4097))).toBe(false);
    expect(isPathFor(checkListedPath, ['a'] as unknown as string)).toBe(false);
    expect(() => checkListedPath('\u001b/../a')).toThrow('`\\u{1b}/../a` leaves the skill');
    expect(() => checkResourcePath('\u202e/../a')).toThrow('`\\u{202e}/../a` leaves the skill');
  });

  it('takes every path that may be asked for, and nothing that resolves outside', () => {
    const part = fc.oneof(fc.constantFrom('..', '.', '', 'a', '/', '\\', 'C:', ' '), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const path = parts.join('/');
        const asked = codeOf(path);
        if (typeof asked !== 'string') expect(checkListedPath(asked.join('/'))).toEqual(asked);
        if (!isPathFor(checkListedPath, path)) return;
        expect(posix.join('/skill', ...checkListedPath(path))).toBe(`/skill/${path}`);
      }),
      { numRuns: 2000 },
    );
  });
});

it.each([
  ['/skills/pdf', 'pdf'],
  ['C:\\skills\\pdf', 'pdf'],
  ['C:\\skills/pdf', 'pdf'],
  ['/skills/back\\slash', 'back\\slash'],
])('the last segment of %s is %s', (path, segment) => {
  expect(lastSegment(path)).toBe(segment);
});

describe('checkCalledPath', () => {
  it.each([
    ['/skills/pdf', 'scripts/./a.sh'],
    ['/skills/pdf', '/skills/pdf/scripts/a.sh'],
    ['/Projects e\u0301te\u0301/pdf', '/Projects \u00e9t\u00e9/pdf/scripts/a.sh'],
    ['/Projects \u00e9t\u00e9/pdf', '/Projects e\u0301te\u0301/pdf/scripts/a.sh'],
    ['C:\\skills\\pdf', 'C:\\skills\\pdf/scripts/a.sh'],
    ['C:\\skills\\pdf', 'C:\\skills\\pdf\\scripts\\a.sh'],
    ['C:\\skills\\pdf', 'c:/Skills/PDF/scripts/a.sh'],
    ['\\\\host\\skills\\pdf', '\\\\host\\skills\\pdf\\scripts/a.sh'],
    ['\\\\host\\skills\\pdf', '//host/skills/pdf/scripts/a.sh'],
  ])('takes a skill in %j off %j', (directory, path) => {
    expect(checkCalledPath(path, { directory })).toBe('scripts/a.sh');
  });

  it.each([
    ['guide.md#set-up', 'guide.md', 'set-up'],
    ['guide.md#%E8%A8%AD%E5%AE%9A', 'guide.md', '設定'],
    ['guide.md#100%', 'guide.md', '100%'],
    ['a%20b.md#c', 'a%20b.md', 'c'],
    ['C#/guide.MD#a#b', 'C#/guide.MD#a#b', undefined],
    ['C#/guide.MD#b', 'C#/guide.MD', 'b'],
    ['guide.md#', 'guide.md', undefined],
    ['guide.md/#x', 'guide.md/#x', undefined],
    ['notes#1.md', 'notes#1.md', undefined],
    ['c#', 'c#', undefined],
  ])('reads %j as the file %j and the section %j', (link, path, section) => {
    expect(splitLink(link)).toEqual({ path, section });
    expect(checkCalledPath(link, { directory: '/skills/pdf' })).toBe(path);
  });

  it.each([
    ['/skills/pdf', '/skills/pdf-secret/key'],
    ['/skills/pdf', '/skills/pdf/../mail/key'],
    ['/skills/pdf', '/skills/pdf//etc/passwd'],
    ['/skills/pdf', '/skills/pdf\\key'],
    ['/skills/pdf', '/skills/pdf'],
    ['/skills/pdf', '/skills/pdf/'],
    ['/skills/pdf', '/skills/PDF/key'],
    ['/skills/pdf', '/etc/passwd'],
    ['C:\\skills\\pdf', 'C:\\skills\\pdf\\..\\mail\\key'],
    ['C:\\skills\\pdf', 'C:/skills/pdf-secret/key'],
    ['C:\\skills\\pdf', 'C:/skills/pdf'],
    ['C:\\skills\\pdf', 'D:/skills/pdf/key'],
    ['C:\\skills\\pdf', 'C:\\skills\\pdf\\C:\\key'],
    ['C:\\skills\\pdf', 'scripts\\a.sh'],
    ['/', '/etc/passwd'],
    ['', '/etc/passwd'],
  ])('refuses, for a skill in %j, %j', (directory, path) => {
    expect(() => checkCalledPath(path, { directory })).toThrow(
      expect.objectContaining({ code: 'resource-outside-skill' }),
    );
  });

  it('says of a slash alone that it is absolute', () => {
    expect(() => checkCalledPath('/', { directory: '/skills/pdf' })).toThrow(/^`\/` is absolute\./);
  });

  it('takes a relative directory for a part of the path, because a skill may have a directory with its own name', () => {
    expect(checkCalledPath('pdf/a.md', { directory: 'pdf' })).toBe('pdf/a.md');
  });
});
