// Adds skills to an agent whose framework is too old, and prints what is thrown.

import { createToolkit, loadCatalog, memorySource } from '@skillful/core';

const [adapter = '', name = ''] = process.argv.slice(2);
const skill = '---\nname: report\ndescription: Reports.\n---\nBody.\n';
const toolkit = createToolkit(await loadCatalog([memorySource({ 'report/SKILL.md': skill })]));
process.env['SKILLFUL_PEERS'] = 'too-old';
await import('./oldest/hook.ts');
const constructors = await import(adapter);
try {
  constructors[name](...(name === 'withSkills' ? [{}, toolkit] : [toolkit]));
} catch (error) {
  const { code, message } = Object(error);
  process.stdout.write(JSON.stringify({ code, message }));
}
