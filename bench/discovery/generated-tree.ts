// Generates clean skills in words of our own: each is valid for every loader, and its frontmatter is mostly plain lines.

/** What the names of the skills are made of. */
export const verbs: readonly string[] =
  'review draft convert summarise migrate test deploy translate measure plan'.split(' ');
export const subjects: readonly string[] =
  'contracts spreadsheets databases recipes invoices releases drawings reports'.split(' ');
const words =
  `the a when that file step before after check every result user asks input output with care until test fails
  read write note name value table line section example command option report once more than less first last change
  keep only what which error warning retry script reference version default branch commit message format number date
  list order page text image column row sum limit range rule case exception answer question project folder`.split(
    /\s+/,
  );

/** Creates a generator of the same numbers on every machine, so that every run measures the same skills. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Generates `count` skills, by directory; the mean file has about 7.5 KB. */
export function createGeneratedTree(count: number): ReadonlyMap<string, string> {
  const random = createRandom(7);
  return new Map(Array.from({ length: count }, (_, index) => createSkill(index, random)));
}

function createSkill(index: number, random: () => number): readonly [name: string, content: string] {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
  const sentence = (length: number): string => Array.from({ length }, () => pick(words)).join(' ');
  const [verb, subject] = [pick(verbs), pick(subjects)];
  const name = `${verb}-${subject}-${String(index).padStart(6, '0')}`;
  const description = `How to ${verb} ${subject}, number ${index}, and ${sentence(8 + random() * 16)}. Use when the user wants to ${verb} ${subject} or to ${sentence(4 + random() * 6)}`;
  const header = ['---', `name: ${name}`, ...describe(index, description, sentence(10)), '---'];
  // Most bodies are short and a few are long.
  const length = Math.round(3000 + 10_600 * random() ** 2 + (random() < 0.05 ? 20_000 * random() : 0));
  const body = [`# ${verb} ${subject}`];
  for (let size = 0; size < length; size += body.at(-1)?.length ?? 0) {
    body.push(random() < 0.2 ? `\n## ${sentence(3)}\n` : `- ${sentence(10 + random() * 20)}.`);
  }
  return [name, `${header.join('\n')}\n\n${body.join('\n')}\n`];
}

/** 92 of 100 have plain lines only; the others have escapes, a map, a text of two paragraphs or a list of maps. */
function describe(index: number, description: string, more: string): readonly string[] {
  const plain = [`description: ${description}`, ...(index % 3 === 0 ? ['license: MIT'] : [])];
  switch (index % 100) {
    case 11:
    case 31:
      return ['description: >-', `  ${description}`, '', `  ${more}.`];
    case 51:
    case 71:
      return [`description: "${description}: \\"${more}\\""`];
    case 13:
    case 33:
      return [...plain, 'triggers:', '  - word: office', `    example: "${more}"`];
    case 53:
    case 73:
      return [...plain, 'metadata:', '  author: somebody', '  version: "1.0"'];
    default:
      return index % 2 === 0 ? plain : [...plain, 'compatibility: Any agent that can read files'];
  }
}
