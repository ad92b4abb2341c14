import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectOutput } from '../../../src/node/scripts/output.ts';

it('keeps the beginning and the end, whatever the pieces', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\n'), maxLength: 30 });
  const limits = fc.oneof(fc.nat(60), fc.constant(Number.MAX_SAFE_INTEGER));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), limits, (pieces, limit) => {
      const collector = collectOutput(limit);
      const texts = pieces.map((each) => collector.add(Buffer.from(each)));
      const all = Buffer.from(pieces.join(''));
      const half = Math.floor(limit / 2);
      const left = all.length - 2 * half;
      const note = Buffer.from(`\n[${left} bytes left out]\n`);
      const cut = Buffer.concat([all.subarray(0, half), note, all.subarray(all.length - half)]);
      expect([texts.join(''), collector.text(), collector.isCut()]).toEqual([
        pieces.join(''),
        (left > 0 ? cut : all).toString(),
        left > 0,
      ]);
    }),
  );
});
