// Which versions of a framework an adapter accepts.

import { expect, it } from 'vitest';
import { createToolkit, loadCatalog } from '../../src/index.ts';

const toolkit = createToolkit(await loadCatalog([]));
const assert = (version: string, oldest: string) => () =>
  toolkit.assertVersion('@skillful/some', { name: 'some', version }, oldest);

it.each([
  ['1.41.9', '1.42'],
  ['0.24.9', '1.3.2'],
  ['1.3.1', '1.3.2'],
  ['1.3.1-rc.9', '1.3.2'],
  ['5.0.277', '6.0.0'],
])('refuses %s if %s is needed', (version, oldest) => {
  const message = `\`@skillful/some\` needs \`some\` ${oldest} or later, but ${version} is installed. Update \`some\`.`;
  expect(assert(version, oldest)).toThrow(expect.objectContaining({ code: 'framework-too-old', message }));
});

it.each([
  ['1.42.0', '1.42'],
  ['1.100.0-alpha.1', '1.42'],
  ['6.0.0-beta.1', '6.0.0'],
  ['2.0.0', '1.3.2'],
  ['1.3.2', '1.3.2'],
  ['1.10.0', '1.3.2'],
])('accepts %s if %s is needed', (version, oldest) => {
  expect(assert(version, oldest)).not.toThrow();
});
