// Lets a process of a test use other versions of the frameworks, too: `node --import hook.ts`.

import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { createImporter } from './importer.ts';

const importerFor = createImporter(process.env['SKILLFUL_PEERS'] ?? 'oldest');

registerHooks({
  resolve(source, context, next) {
    const from = importerFor(source, context.parentURL);
    return next(source, from === undefined ? context : { ...context, parentURL: pathToFileURL(from).href });
  },
});
