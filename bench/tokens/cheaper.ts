// Finds every figure in which another library is cheaper than this one, so that the report cannot leave one out.

import type { Contender } from './contender.ts';
import { leaveOut } from './leave-out.ts';
import type { ActivationFigures, CatalogFigures, LongFigures, Measurements } from './measure.ts';
import { countTokens } from './tokens.ts';

/** A figure in which a peer is cheaper. */
export interface Cheaper {
  readonly peer: Contender;
  readonly where: string;
  readonly theirs: number;
  readonly ours: number;
  /** What the peer leaves out or has lost meanwhile, or an empty string. */
  readonly note: string;
}

interface Figure {
  readonly contender: Contender;
  readonly tokens: number;
  readonly note: string;
}

/** Compares each peer with this project's use of the same framework and the same disclosure. */
export function cheaperPeers(measured: Measurements): readonly Cheaper[] {
  const { catalogSizes, catalogs, activations, short, repeating, long, reloading } = measured;
  return [
    ...catalogSizes.flatMap((size, index) =>
      compare(
        `The catalog of ${size} skills`,
        catalogs.map(({ contender, sizes }) => {
          const { system = 0, definitions = 0 } = sizes[index] ?? {};
          return { contender, tokens: system + definitions, note: '' };
        }),
        (peer, own) => noteNames(sizeOf(catalogs, peer, index), sizeOf(catalogs, own, index)),
      ),
    ),
    ...compare(
      'The first activation',
      activations.map(({ contender, first }) => ({ contender, tokens: first, note: '' })),
      (peer, own) =>
        noteLack(
          peer,
          activations.find(({ contender }) => contender === own),
        ),
    ),
    ...compare(
      'An activation again',
      activations.map(({ contender, second }) => ({ contender, tokens: second, note: '' })),
    ),
    ...compare(
      'The short session',
      short.map(({ contender, skills }) => ({ contender, tokens: skills, note: '' })),
    ),
    ...compare(
      'The repeating session',
      repeating.map(({ contender, skills }) => ({ contender, tokens: skills, note: '' })),
    ),
    ...compare('The long session', long.map(withLoss)),
    ...compare('The long session with loading again', reloading.map(withLoss)),
  ];
}

function withLoss({ contender, skills, whole, due }: LongFigures): Figure {
  const lost = due - whole;
  return { contender, tokens: skills, note: lost === 0 ? '' : `${lost} of ${due} bodies were missing` };
}

type CatalogSize = CatalogFigures['sizes'][number];

function sizeOf(catalogs: readonly CatalogFigures[], wanted: Contender, index: number): CatalogSize | undefined {
  return catalogs.find(({ contender }) => contender === wanted)?.sizes[index];
}

/** Returns a note if only our tool lists the names that it takes, with what ours would cost without them. */
function noteNames(theirs: CatalogSize | undefined, ours: CatalogSize | undefined): string {
  if (theirs === undefined || ours === undefined || theirs.enumerated > 0 || ours.enumerated === 0) return '';
  const without = ours.system + ours.definitions - ours.enumerated;
  return `its tool takes any name; ours lists the existing names, and would cost ${without.toLocaleString('en')} without them`;
}

/** Returns a note on what the peer lacks, with what ours would cost without it. */
function noteLack({ lacks }: Contender, own: ActivationFigures | undefined): string {
  if (own === undefined) return '';
  const content = countTokens(own.text) - countTokens(leaveOut(own.text, lacks.split(', ')));
  return `it lacks ${lacks}, without which ours would have ${own.first - content}`;
}

function compare(
  where: string,
  figures: readonly Figure[],
  noteOf?: (peer: Contender, own: Contender) => string,
): readonly Cheaper[] {
  return figures.flatMap(({ contender: peer, tokens: theirs, note }) => {
    if (peer.own) return [];
    const own = figures.find(
      ({ contender }) =>
        contender.own && contender.framework === peer.framework && contender.disclosure === peer.disclosure,
    );
    if (own === undefined || own.tokens <= theirs) return [];
    return [{ peer, where, theirs, ours: own.tokens, note: noteOf?.(peer, own.contender) ?? note }];
  });
}
