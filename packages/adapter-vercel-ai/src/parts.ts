// Parts of a message's content, whichever version of the AI SDK made them.

export type Part = Readonly<Record<string, unknown>>;

export function partsOf(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isPart) : [];
}

export function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}

export function textOf(content: unknown): string {
  const texts = partsOf(content).filter(({ type }) => type === 'text');
  return texts.map(({ text }) => String(text)).join('\n');
}
