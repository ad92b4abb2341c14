// In CI the properties are tried with the same inputs each time, so that a gate does not turn red by chance; elsewhere with
// new ones each time. A failure prints its seed, and SKILLFUL_SEED repeats it.

import fc from 'fast-check';

const chosen = process.env.SKILLFUL_SEED ?? (process.env.CI === undefined ? undefined : '20261121');
if (chosen !== undefined) fc.configureGlobal({ seed: Number(chosen) });
