// Reads the few XML tags that skills are disclosed in, the way a model sees them: as plain text.

/** Returns the texts between the tags, in order of appearance. Tags of one name do not nest. */
export function readElements(text: string, tag: string): string[] {
  const pattern = new RegExp(`<${tag}(?: [^>]*)?>([\\s\\S]*?)</${tag}>`, 'g');
  return [...text.matchAll(pattern)].map(([, inner = '']) => inner);
}

const entities: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['amp', '&'],
]);

/** Turns the five entities of XML back into characters. */
export function unescapeXml(text: string): string {
  return text.replace(/&(lt|gt|quot|apos|#39|amp);/g, (entity, name: string) => entities.get(name) ?? entity);
}
