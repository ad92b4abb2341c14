// Selects the texts of a skill that an index reads, and recognises them by a hash, so that they are not read again.

import type { Skill } from '../skill/skill.ts';
import { purposeOf } from './purpose.ts';

/** The texts of a skill that are indexed. */
export interface IndexedText {
  readonly name: string;
  readonly description: string;
  /** Headings and the beginning of the body, if they are indexed. */
  readonly body: string;
}

/** Characters of each text that are indexed; no real description is as long. */
const maxLength = 20_000;

/** Returns the texts of a skill that are indexed, with the given text as its body. */
export function textOf(skill: Skill, body = ''): IndexedText {
  const cut = (text: string): string => text.slice(0, maxLength);
  return { name: cut(skill.name), description: cut(purposeOf(skill)), body: cut(body) };
}

/** Returns a hash of 53 bits. A collision would do no harm except a wrong rank. */
export function fingerprint({ name, description, body }: IndexedText): number {
  const hash = [name, description, body].reduce(hashText, 0x811c9dc5);
  return (hash >>> 0) * 2 ** 21 + ((name.length * 31 + description.length + body.length) & 0x1fffff);
}

/** Adds a text to a hash, two characters at a time. */
function hashText(start: number, text: string): number {
  let hash = mix(start, text.length);
  let at = 0;
  for (; at + 1 < text.length; at += 2) hash = mix(hash, text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
  return at < text.length ? mix(hash, text.charCodeAt(at)) : hash;
}

/** Adds 32 bits to a hash as FNV-1a does, and mixes the high bits of the result into the low ones. */
export function mix(hash: number, bits: number): number {
  const mixed = Math.imul(hash ^ bits, 0x01000193);
  return mixed ^ (mixed >>> 15);
}
