// Tells which unquoted texts are numbers, booleans or null in YAML 1.2, without a YAML parser.

import type { FrontmatterScalar } from '../tree.ts';

/** What a text that is more than a text begins with. */
const beginnings = '~nNtTfF.+-0123456789';

/** Gives what the core schema of YAML 1.2 makes of a text without quotes. */
export function resolveCore(text: string): FrontmatterScalar['data'] {
  if (text !== '' && !beginnings.includes(text.charAt(0))) return text;
  if (text.length <= 5) {
    if (/^(?:~|null|Null|NULL)?$/.test(text)) return null;
    if (/^(?:true|True|TRUE)$/.test(text)) return true;
    if (/^(?:false|False|FALSE)$/.test(text)) return false;
    if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text[0] === '-' ? -Infinity : Infinity;
    if (/^\.(?:nan|NaN|NAN)$/.test(text)) return Number.NaN;
  }
  if (/^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?)$/.test(text)) return Number(text);
  return text;
}
