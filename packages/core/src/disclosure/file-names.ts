// Checks the names of the files of a skill: whether models can ask for them, on every system.

import { createDiagnostic, type Diagnostic, type DiagnosticSite } from '../diagnostics/diagnostic.ts';
import { groupBy } from '../runtime/group-by.ts';
import { foldPath } from '../skill/paths.ts';
import type { SkillFileListing } from '../skill/source.ts';
import { isShowable } from './activation-text.ts';

/** Limit for diagnostics about hidden names, because a thousand of them usually have one cause. */
const maxHidden = 20;

/** Reports the files of a listing that models cannot ask for by name, or may mix up. */
export function checkFileNames({ files, refused = [] }: SkillFileListing, site: DiagnosticSite): readonly Diagnostic[] {
  const hidden = files.map(({ path }) => path).filter((path) => !isShowable(path));
  return [
    ...findTwins(files).map((twins) => createDiagnostic('resource-name-twin', site, twins)),
    ...refused.map((file) => createDiagnostic('resource-name-refused', site, { file })),
    ...hidden.slice(0, maxHidden).map((file) => createDiagnostic('resource-name-unportable', site, { file })),
  ];
}

/** Finds files whose paths differ only in letter case, in kinds of spaces or in how characters are composed. */
function findTwins(files: SkillFileListing['files']): readonly { readonly file: string; readonly other: string }[] {
  const alike = groupBy(files, ({ path }) => foldPath(path).toLowerCase());
  const twins = [...alike.values()].flatMap(([first, ...others]) =>
    others.map(({ path: file }) => ({ file, other: first?.path ?? file })),
  );
  return twins.slice(0, maxHidden);
}
