// Parts of a message's content, whichever version of the AI SDK made them.

type Part = Readonly<Record<string, unknown>>;

export function partsOf(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter((part) => Object(part) === part) : [];
}

export function textOf(content: unknown): string {
  const texts = partsOf(content).filter(({ type }) => type === 'text');
  return texts.map(({ text }) => String(text)).join('\n');
}
