// Property tests. By default, fast-check makes up at most ten characters, even if a test says `maxLength: 400`; here, it does what
// the test says.
//
// In CI the properties are tried with the same inputs each time, so that a gate does not turn red by chance; elsewhere with
// new ones each time. A failure prints its seed, and SKILLFUL_SEED repeats it.

import fc from 'fast-check';

const chosen = process.env.SKILLFUL_SEED ?? (process.env.CI === undefined ? undefined : '20261121');
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true, ...(chosen !== undefined && { seed: Number(chosen) }) });
