// Writes the JSON Schema of the frontmatter, for editors, from the table of fields.

import { writeFileSync } from 'node:fs';
import { frontmatterSchema } from '../packages/core/src/format/properties/schema.ts';

const file = new URL('../packages/core/schema/skill-frontmatter.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(frontmatterSchema(), undefined, 2)}\n`);
