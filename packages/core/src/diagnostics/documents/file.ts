// Why the bytes, the fences and the body of a `SKILL.md` can be wrong.

import type { fileCodes } from '../codes/file.ts';
import type { DiagnosticDocument } from '../table.ts';

export const fileDocuments: Readonly<Record<keyof typeof fileCodes, DiagnosticDocument>> = {
  'encoding-unsupported':
    'The first bytes of the file show an encoding other than UTF-8, so nothing in it can be read reliably.',
  'encoding-invalid': 'Some bytes are not UTF-8 text, usually because an editor saved the file in a legacy encoding.',
  'byte-order-mark':
    'An invisible mark comes before the opening fence. Because of it, several readers see no frontmatter at all.',
  'line-ends-cr':
    'Old systems ended lines with a lone carriage return. Most readers see one long line and no frontmatter.',
  'skill-too-large': {
    cause: 'Activating a skill reads all of `SKILL.md` at once, so its size is limited.',
    fix: 'Keep the instructions in `SKILL.md`, and move long material into bundled files that the instructions mention.',
  },
  'frontmatter-missing':
    'A skill opens with YAML frontmatter between two lines of exactly three hyphens, the first of them at the very start.',
  'link-as-text':
    'On systems without symbolic links, Git writes the path of the target into the file, so the skill itself is missing.',
  'conflict-markers':
    'If two people change the same lines, Git writes both versions into the file and marks where they begin and end.',
  'frontmatter-language':
    'Some libraries run code from frontmatter whose fence names a language. Skillful never reads such frontmatter.',
  'frontmatter-unclosed': 'Without a closing fence, nothing shows where the fields end and the instructions begin.',
  'frontmatter-too-large':
    'The frontmatter of every skill is read at start-up, so its size is limited before anything is parsed.',
  'frontmatter-too-many-keys':
    'The frontmatter of every skill is read at start-up, so the number of its keys is limited.',
  'frontmatter-too-complex':
    'The frontmatter of every skill is read at start-up, so the work that it can cause is limited.',
  'frontmatter-not-mapping': 'The YAML between the fences is a list or a text, so it has no fields.',
  'frontmatter-control-characters': 'YAML does not allow control characters, and they can hide text from a reviewer.',
  'leading-blank-lines': 'The opening fence belongs on the first line; otherwise most readers see no frontmatter.',
  'fence-trailing-space':
    'The opening fence is a line of exactly three hyphens; otherwise several readers see no frontmatter.',
  'fence-in-value':
    'The file is valid, but `skills-ref` ends the frontmatter at any `---`: it cuts the value, and the rest leaks into the body.',
  'fence-close-assumed':
    'No closing fence follows the fields, but a line that cannot be a field shows where the body begins.',
  'fence-open-assumed': 'The file begins with fields and has a closing fence, but its first line is not `---`.',
  'frontmatter-in-code-fence':
    'A tool or a model wrapped the whole file in a Markdown code block, so it does not begin with `---`.',
  'frontmatter-not-first': 'A heading or a comment comes before the opening fence, which belongs on the first line.',
  'body-empty': 'The specification allows an empty body, but a skill without instructions is rarely intended.',
  'body-control-characters': 'Control characters can hide text from a reviewer, and some readers end the text at one.',
};
