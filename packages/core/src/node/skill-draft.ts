// Turns what somebody wants a skill to say into the text of a `SKILL.md`.

/** What a new skill says. */
export interface SkillDraft {
  /** Lowercase letters, digits and single hyphens; also the name of the directory. */
  readonly name: string;
  readonly description: string;
  /** Markdown for the body. */
  readonly instructions?: string | undefined;
}

/** Words that YAML takes for something other than text. */
const notText: ReadonlySet<string> = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off']);

/** Formats a `SKILL.md`. Whatever is in the description stays in it: it cannot become another field or end the frontmatter. */
export function formatSkill({ name, description, instructions = '' }: SkillDraft): string {
  const body = instructions.trim();
  const frontmatter = `---\nname: ${formatScalar(name)}\ndescription: ${formatScalar(description)}\n---\n`;
  return body === '' ? frontmatter : `${frontmatter}\n${body}\n`;
}

/** Plain where that cannot be mistaken, else in double quotes, whose escapes YAML shares with JSON. */
function formatScalar(text: string): string {
  if (/^[A-Za-z](?:[A-Za-z0-9 ,.()/'-]*[A-Za-z0-9.)])?$/.test(text) && !notText.has(text.toLowerCase())) return text;
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
