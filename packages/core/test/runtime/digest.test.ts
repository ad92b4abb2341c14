import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestBytes, digestByWebCrypto, findHash } from '../../src/runtime/digest.ts';

/** Like `process` in the edge runtime of Next.js: looking at a property throws. */
const refusing: Partial<NodeJS.Process> = {
  get getBuiltinModule(): never {
    throw new Error('A Node.js API is used (process.getBuiltinModule) which is not supported in the Edge Runtime.');
  },
};

const encoder = new TextEncoder();

// The values from FIPS 180-4.
it.each([
  ['', 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
])('is the SHA-256 of %j, with and without the hash function of the runtime', async (text, digest) => {
  expect(digestBytes(encoder.encode(text))).toBe(digest);
  expect(await digestByWebCrypto(encoder.encode(text))).toBe(digest);
});

it('is the same in both ways for any bytes, even for a part of a buffer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(20), async (bytes, start) => {
      const part = bytes.subarray(Math.min(start, bytes.length));
      expect(digestBytes(part)).toBe(await digestByWebCrypto(part.slice()));
    }),
  );
});

it('finds no hash function if the runtime has none, or something else of that name', () => {
  expect(findHash(globalThis)).toBeTypeOf('function');
  expect(findHash({})).toBeUndefined();
  expect(findHash({ process: {} })).toBeUndefined();
  expect(findHash({ process: { getBuiltinModule: () => undefined } })).toBeUndefined();
  expect(findHash({ process: refusing })).toBeUndefined();
});
