// Makes a skill's text harmless before it enters a prompt as data: one line, no invisible characters, no markup.

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes the five XML characters, so that a text can stand in an element or an attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/gu;
const invisible =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0100}-\u{e01ef}\u{1d173}-\u{1d17a}]/gu;
const flagSequence = /\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{1,6}\u{e007f}/gu;
const tags = /[\u{e0000}-\u{e007f}]/gu;
const joinersOutsideScripts =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{L}\p{M}])[\u200c\u200d]|[\u200c\u200d](?![\p{Extended_Pictographic}\p{L}\p{M}])/gu;

/**
 * Removes what a reader cannot see: zero-width and bidi characters, tag characters, supplementary variation selectors.
 *
 * Emoji sequences, flags and the joiners that Indic and Arabic scripts need are kept.
 */
export function stripInvisible(text: string): string {
  let kept = '';
  let end = 0;
  for (const flag of text.matchAll(flagSequence)) {
    kept += text.slice(end, flag.index).replace(tags, '') + flag[0];
    end = flag.index + flag[0].length;
  }
  kept += text.slice(end).replace(tags, '');
  return kept.replace(invisible, '').replace(joinersOutsideScripts, '');
}

/** Puts a text on one line without control or invisible characters, its runs of white space collapsed. */
export function oneLine(text: string): string {
  return stripInvisible(text.replace(controls, ' ')).replace(/\s+/gu, ' ').trim();
}

const frameTags =
  /<(?=[\s\p{Cf}]*(?:\/[\s\p{Cf}]*)?(?:skill_content|skill_active|skill_inactive|skill_resources?|available_skills)\b)/giu;

/** Takes the `<` from tags that frame skills, so that no text can close the frame that it stands in or open another. */
export function neutraliseFrame(text: string): string {
  return text.replace(frameTags, '&lt;');
}
