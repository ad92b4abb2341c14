// Measures how many public skills load, here and in other loaders, prints the table and writes docs/recovery.md.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasErrors } from '../../packages/core/src/diagnostics/diagnostic.ts';
import { parseSkill } from '../../packages/core/src/format/parse.ts';
import { readCorpus, type WildSkill } from '../corpus.ts';
import { installedVersion } from '../peers.ts';
import { isDescribed } from './described.ts';
import { type LaidOut, peers } from './peers.ts';
import { type Collection, formatReport, type Loader } from './report.ts';

/** Diagnostics that say what was assumed in order to read a file. */
const repairCodes: ReadonlySet<string> = new Set(
  `
    value-unquoted value-misquoted block-header-text tab-indentation fields-read-apart
    colon-space-missing field-unreadable fence-close-assumed fence-open-assumed
    frontmatter-in-code-fence frontmatter-not-first name-missing name-empty name-not-text name-replaced
    leading-blank-lines fence-trailing-space byte-order-mark key-duplicate encoding-invalid
  `
    .trim()
    .split(/\s+/),
);

const corpus = readCorpus() ?? process.exit(1);
const described = new Set(corpus.filter(({ content }) => isDescribed(content)).map(({ id }) => id));

interface Own {
  readonly loaded: ReadonlySet<string>;
  readonly exceptions: number;
  readonly errors: ReadonlyMap<string, readonly string[]>;
  readonly repairs: ReadonlyMap<string, number>;
}

function readAll(profile: 'strict' | 'lenient' | 'portable'): Own {
  const loaded = new Set<string>();
  const errors = new Map<string, string[]>();
  const repairs = new Map<string, number>();
  let exceptions = 0;
  for (const { id, directory, content } of corpus) {
    try {
      const { diagnostics } = parseSkill(content, { directoryName: directory, profile });
      if (!hasErrors(diagnostics)) loaded.add(id);
      for (const code of new Set(diagnostics.map((diagnostic) => diagnostic.code))) {
        const error = diagnostics.some((diagnostic) => diagnostic.code === code && diagnostic.severity === 'error');
        if (error) errors.set(code, [...(errors.get(code) ?? []), id]);
        else if (repairCodes.has(code) && !hasErrors(diagnostics)) repairs.set(code, (repairs.get(code) ?? 0) + 1);
      }
    } catch {
      exceptions += 1;
    }
  }
  return { loaded, exceptions, errors, repairs };
}

/** Writes every skill below a root of its own, so that no loader sees two of the same name. */
function layOut(base: string): readonly LaidOut[] {
  return corpus.map(({ id, directory, content }) => {
    const root = join(base, id);
    mkdirSync(join(root, directory), { recursive: true });
    writeFileSync(join(root, directory, 'SKILL.md'), content);
    return { id, root, directory };
  });
}

function score(name: string, files: readonly WildSkill[], results: readonly ReadonlySet<string>[]): Collection {
  const scores = results.map((loaded) => ({
    loaded: files.filter(({ id }) => loaded.has(id)).length,
    described: files.filter(({ id }) => loaded.has(id) && described.has(id)).length,
  }));
  return { name, files: files.length, described: files.filter(({ id }) => described.has(id)).length, scores };
}

const quiet = { log: console.log, warn: console.warn, error: console.error };
const base = mkdtempSync(join(tmpdir(), 'skillful-recovery-'));
try {
  const lenient = readAll('lenient');
  const results: ReadonlySet<string>[] = [lenient.loaded];
  const loaders: Loader[] = [
    {
      name: 'Skillful',
      version: 'this checkout',
      how: '`parseSkill(text, { directoryName })`',
      exceptions: lenient.exceptions,
    },
  ];
  const skills = layOut(base);
  for (const { name, how, load } of peers) {
    quiet.error(`${name} …`);
    // Some loaders print a line for every file that they skip.
    for (const method of ['log', 'warn', 'error'] as const) console[method] = () => {};
    const { loaded, exceptions } = await load(skills, base).finally(() => Object.assign(console, quiet));
    results.push(loaded);
    loaders.push({ name, version: installedVersion(import.meta.dirname, name), how, exceptions });
  }
  const groups = Map.groupBy(corpus, ({ collection }) => collection);
  const collections = [...groups].map(([name, files]) => score(name, files, results)).sort((a, b) => b.files - a.files);
  const reasons = [...lenient.errors].map(([code, ids]) => {
    return { code, files: ids.length, described: ids.filter((id) => described.has(id)).length };
  });
  const missed = corpus.flatMap(({ id }) => {
    const others = loaders.filter((_loader, index) => index > 0 && results[index]?.has(id)).map(({ name }) => name);
    if (lenient.loaded.has(id) || others.length === 0) return [];
    return [
      { id, loaders: others, codes: [...lenient.errors].filter(([, ids]) => ids.includes(id)).map(([code]) => code) },
    ];
  });
  const report = formatReport({
    missed,
    date: new Date().toISOString().slice(0, 10),
    loaders,
    collections,
    total: score('all', corpus, results),
    reasons: reasons.sort((a, b) => b.files - a.files || (a.code < b.code ? -1 : 1)),
    repairs: [...lenient.repairs]
      .map(([code, files]) => ({ code, files }))
      .sort((a, b) => b.files - a.files || (a.code < b.code ? -1 : 1)),
    profiles: { strict: readAll('strict').loaded.size, portable: readAll('portable').loaded.size },
  });
  writeFileSync(new URL('../../docs/recovery.md', import.meta.url), report);
  console.log(report);
} finally {
  rmSync(base, { recursive: true, force: true });
}
