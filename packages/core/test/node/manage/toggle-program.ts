// Switches skills off, one after the other: one of several processes that write the same settings.

import { setSkillEnabled } from '../../../src/node/manage/settings.ts';

const [, , home = '', prefix = '', count = '0'] = process.argv;
for (let n = 0; n < Number(count); n += 1) {
  await setSkillEnabled(`user:${prefix}-${n}`, false, { home, environment: {}, lockTimeout: 20_000 });
}
