// Runs the core's root entry in a context with the language and the web's globals, but nothing from Node.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { createContext, SourceTextModule } from 'node:vm';

const [entry = ''] = process.argv.slice(2);
const web = {
  AbortController,
  AbortSignal,
  TextDecoder,
  TextEncoder,
  URL,
  crypto,
  performance,
  queueMicrotask,
  setTimeout,
};
const context = createContext({ ...web, clearTimeout, structuredClone });
const modules = new Map<string, SourceTextModule>();

function load(file: string): SourceTextModule {
  const loaded = modules.get(file) ?? new SourceTextModule(readFileSync(file, 'utf8'), { context, identifier: file });
  modules.set(file, loaded);
  return loaded;
}

/** Finds a module as a bundler for browsers does: by the `default` condition. */
function find(specifier: string, from: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier);
  for (let directory = dirname(from); directory.includes(sep); directory = dirname(directory)) {
    const folder = join(directory, 'node_modules', specifier);
    if (!existsSync(folder)) continue;
    const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return join(folder, exports['.'].default ?? exports['.']);
  }
  throw new Error(`${from} imports ${specifier}, which is nowhere`);
}

const story = `
import { createToolkit, loadCatalog, memorySource } from '${entry}';
const files = {
  'greeting/SKILL.md': '---\\nname: greeting\\ndescription: Greets people.\\n---\\nSay hello.',
  'greeting/references/ways.md': 'Good morning.',
};
const catalog = await loadCatalog([memorySource(files)]);
const { tools } = createToolkit(catalog);
const activation = await tools[0].execute({ name: 'greeting' });
const resource = await tools[1].execute({ skill: 'greeting', path: 'references/ways.md' });
export const told = JSON.stringify({
  names: catalog.skills.map((skill) => skill.name),
  tools: tools.map((tool) => tool.name),
  activated: activation.text.includes('Say hello.'),
  read: resource.text.includes('Good morning.'),
});
`;
const main = new SourceTextModule(story, { context, identifier: join(dirname(entry), 'story.js') });
await main.link((specifier, referrer) => load(specifier === entry ? entry : find(specifier, referrer.identifier)));
await main.evaluate();
process.stdout.write(String((main.namespace as { told: string }).told));
