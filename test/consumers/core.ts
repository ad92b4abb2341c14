// A user of the core alone: prints what a model would read and what an activation returns.

import { createToolkit, loadCatalog } from '@skillful/core';
import { fileSource } from '@skillful/core/node';

const [directory = ''] = process.argv.slice(2);
const catalog = await loadCatalog([fileSource(directory)]);
const toolkit = createToolkit(catalog);
const { system, hiddenTools } = await toolkit.prepare([]);
const tools = toolkit.tools.filter(({ name }) => !hiddenTools.includes(name));
const activation = await tools[0]?.execute({ name: 'greeting' });
console.log(JSON.stringify({ system, tools: tools.map(({ name }) => name), activation: activation?.text }));
