// Finds every figure in which another library is cheaper than this one, so that the report cannot leave one out.

import type { Contender } from './contender.ts';
import type { LongFigures, Measurements } from './measure.ts';

/** A figure in which a peer is cheaper. */
export interface Cheaper {
  readonly peer: Contender;
  readonly where: string;
  readonly theirs: number;
  readonly ours: number;
  /** What the peer has lost meanwhile; empty where that is nothing. */
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
      ),
    ),
    ...compare(
      'The first activation',
      activations.map(({ contender, first }) => ({ contender, tokens: first, note: '' })),
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

function compare(where: string, figures: readonly Figure[]): readonly Cheaper[] {
  return figures.flatMap(({ contender: peer, tokens: theirs, note }) => {
    if (peer.own) return [];
    const own = figures.find(
      ({ contender }) =>
        contender.own && contender.framework === peer.framework && contender.disclosure === peer.disclosure,
    );
    return own === undefined || own.tokens <= theirs ? [] : [{ peer, where, theirs, ours: own.tokens, note }];
  });
}
