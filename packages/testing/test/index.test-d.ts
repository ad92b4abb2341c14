// What the tests of sources and adapters rely on in the types of this package; checked by tsc, never run.

import { memorySource } from '@skillful/core';
import { expectTypeOf } from 'vitest';
import type { AdapterHarness, AdapterRun, AdapterSession, ObservedCall } from '../src/adapter-harness.ts';
import { observedCalls, scriptedModel } from '../src/ai-sdk.ts';
import { type FormatCase, readFormatCorpus, type ValidatorVerdict } from '../src/format-corpus.ts';
import { testAdapter, testSession, testSource } from '../src/index.ts';

declare const harness: AdapterHarness;

export function declareTests(): void {
  testSource({ name: 'memory', create: (files) => memorySource(files) });
  testSource({ name: 'slow memory', create: async (files) => memorySource(files) });
  testAdapter(harness);
  testSession('My framework', './harness.ts');
  // @ts-expect-error a source is created from files
  testSource({ name: 'memory', create: (files: number) => memorySource({ files: String(files) }) });
  // @ts-expect-error a harness has more than a name
  testAdapter({ framework: 'My framework' });
  // @ts-expect-error a session imports its harness by path
  testSession('My framework', harness);
}

expectTypeOf(harness.converse).returns.resolves.toEqualTypeOf<AdapterRun>();
expectTypeOf(harness.openSession).returns.resolves.toEqualTypeOf<AdapterSession>();
const model = scriptedModel([{ calls: [{ tool: 'activate_skill', input: { name: 'pdf' } }] }, { text: 'Done.' }]);
expectTypeOf(observedCalls(model)).toEqualTypeOf<readonly ObservedCall[]>();
// @ts-expect-error a turn is either calls or text
scriptedModel([{ words: 'Done.' }]);
const { cases } = await readFormatCorpus();
expectTypeOf(cases).toEqualTypeOf<readonly FormatCase[]>();
expectTypeOf<FormatCase['validators'][string]>().toEqualTypeOf<ValidatorVerdict>();
