// Makes frontmatter with the mistakes that people make.

import fc from 'fast-check';
import { oneOf } from './values.ts';

const key = oneOf(
  'name¦description¦description¦description¦license¦x¦argument-hint¦metadata¦allowed-tools¦"quoted"¦x.y¦two words¦名',
);
const gap = oneOf('¦ ¦ ¦ ¦ ¦  ¦\t');
const piece = oneOf(
  'word¦Use when: asked¦“q”¦技能¦(1) a¦a:b¦x:¦: ¦ #¦#¦ # c¦- ¦-¦"¦"¦\'¦\'¦\\¦\\"¦\\n¦\\q¦|¦>¦>-¦|2¦[¦]¦{¦}¦{{a}}¦[a]¦[a, b]¦*¦**bold**¦*a¦@a¦`a`¦%d¦&a¦!t¦? ¦?¦\u00a0¦,¦ ¦  ¦~¦1¦true¦---¦...¦\t',
);
const text = fc.array(piece, { minLength: 0, maxLength: 5 }).chain((pieces) => {
  return oneOf('¦ ').map((by) => pieces.join(by));
});
const value = fc.oneof(
  { weight: 3, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc
      .tuple(oneOf('"¦\'¦"¦[¦*¦**¦@¦`¦|¦> ¦>- ¦| ¦- '), text, oneOf('"¦\'¦¦¦",¦" b¦]¦] b¦**'))
      .map((parts) => parts.join('')),
  },
);
const below = fc.tuple(oneOf('¦¦  ¦  ¦ ¦    ¦- ¦  - ¦# ¦  # ¦> ¦(1) '), value).map((parts) => parts.join(''));
const field = fc
  .tuple(
    fc.tuple(key, oneOf(':¦:¦:¦: ¦ :'), gap, value).map((parts) => parts.join('')),
    fc.array(fc.oneof(below, oneOf('¦ ¦# c')), { maxLength: 3 }),
  )
  .map(([first, rest]) => (rest.length > 2 ? [first, ...rest] : [first, ...rest.slice(1)]).join('\n'));

/** Fields of which some are not valid YAML. */
export const mistaken: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.oneof(field, oneOf('name: pdf¦license: MIT¦tags:\n- a\n- b¦n: |+\n  a\n\n¦m: >\n  a\n  b')), {
      minLength: 1,
      maxLength: 4,
    }),
    oneOf('\n¦¦\n\n'),
  )
  .map(([fields, end]) => fields.join('\n') + end);
