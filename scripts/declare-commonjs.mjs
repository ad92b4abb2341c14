// Copies the declarations of the package in this directory for programs in CommonJS. Its framework has classes of other types for
// them, and a `package.json` says which of the two a declaration means. Such programs load the same modules.

import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';

mkdirSync('dist/commonjs', { recursive: true });
for (const file of readdirSync('dist').filter((name) => name.endsWith('.d.ts')))
  copyFileSync(`dist/${file}`, `dist/commonjs/${file}`);
writeFileSync('dist/commonjs/package.json', '{ "type": "commonjs" }\n');
writeFileSync('dist/commonjs/index.js', "module.exports = require('../index.js');\n");
