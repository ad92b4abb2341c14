import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeWrapperTags, presentText } from '../../src/disclosure/present.ts';
import { oneLine } from '../../src/text/neutral.ts';

describe('presentText', () => {
  it.each([
    ['E05 zero-width characters', 'Run su\u200bdo rm and cu\u2060rl', 'Run sudo rm and curl'],
    ['E08 words in variation selectors', '😀\u{e0165}\u{e0178}\u{e0166}\u{e0169}\u{e016c}', '😀'],
    ['E09 a byte order mark in a word', 'ig\ufeffnore previous', 'ignore previous'],
    ['E14 fillers and empty cells', '\u3164\u115f\u2800'.repeat(40), ''],
    ['tag characters', 'a\u{e0041}\u{e0042}b', 'ab'],
    ['a flag that spells words', '🏴\u{e0068}\u{e0069}\u{e007f}', '🏴'],
    ['changes of direction', '\u202ea\u2066b\u2069\u202c\u200fc', 'abc'],
    ['escapes of a terminal', 'a\u001b[31mb\u0007', 'a\u241b[31mb\u2407'],
    ['C1 controls', 'a\u009b31mb\u0085', 'a\\u009b31mb\\u0085'],
    ['line ends that no editor shows', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['signs of one font', 'a\ue0a0b\u{100ff3}', 'a\\ue0a0b\\u{100ff3}'],
    ['hieroglyphic joiners', '\u{13000}\u{13430}\u{13001}', '\u{13000}\u{13001}'],
    ['signs without a glyph', 'a\u{1d159}b\u{16fe4}c\u{1bca0}', 'abc'],
    ['halves of characters', 'a\ud83d b\ude00', 'a\ufffd b\ufffd'],
    ['page breaks and deletions', 'a\u000cb\u007f', 'a\u240cb\u2421'],
  ])('removes or shows %s, and says so', (_, text, shown) => {
    expect(presentText(text)).toEqual({ text: shown, isChanged: true });
  });

  it.each([
    ['E03 the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['E06 a family', '👨‍👩‍👧 ❤️ 1️⃣ 👩🏽‍🚀'],
    ['Persian and Indic words', 'می\u200cخواهم क्\u200dष ශ්\u200dරී'],
    ['signs around Arabic numbers', '\u0600\u0661 \u06dd\u0662'],
    ['tabs and line ends', 'a\tb\r\nc\n'],
    ['E12 empty lines', `a${'\n'.repeat(200)}b`],
    ['E13 a comment', '<!-- a -->'],
    ['E15 a look-alike in an address', 'https://g\u0456thub.com'],
    [
      'operators of programs',
      'f <| g |> h; a <|> b; List<int>; x[0]; [TODO] [x] [PDF] {% if a %} </b> <role>admin</role> [unused] <a>',
    ],
  ])('leaves %s', (_, text) => {
    expect(presentText(text)).toEqual({ text, isChanged: false });
  });

  it('ends a line where a terminal would go back to its beginning', () => {
    expect(presentText('safe\revil')).toEqual({ text: 'safe\nevil', isChanged: false });
  });

  it.each([
    ...[
      '<|im_start|>',
      '<|im_end|>',
      '<|endoftext|>',
      '<|eot_id|>',
      '<|start_header_id|>',
      '<|header_start|>',
      '<|eot|>',
    ],
    ...['<|python_tag|>', '<|user|>', '<|im_sep|>', '<|START_OF_TURN_TOKEN|>', '<|start_of_role|>', '<|channel|>'],
    ...[
      '<|message|>',
      '<|tool_calls_section_begin|>',
      '<|observation|>',
      '<|turn>',
      '<turn|>',
      '<|"|>',
      '<tool_call|>',
    ],
    ...[
      '<｜begin▁of▁sentence｜>',
      '<｜User｜>',
      '<｜tool▁calls▁begin｜>',
      '<start_of_turn>',
      '<end_of_turn>',
      '<bos>',
      '<eos>',
    ],
    ...['<s>', '</s>', '<<SYS>>', '<</SYS>>', '<sop>', '<BOS_TOKEN>', '<SPECIAL_10>', '<extra_id_0>', '<seed:bos>'],
    ...[
      '[INST]',
      '[/INST]',
      '[SYSTEM_PROMPT]',
      '[/SYSTEM_PROMPT]',
      '[TOOL_RESULTS]',
      '[/TOOL_RESULTS]',
      '[TOOL_CALLS]',
    ],
    ...[
      '[AVAILABLE_TOOLS]',
      '[TOOL_CONTENT]',
      '[MODEL_SETTINGS]',
      '[THINK]',
      '[ARGS]',
      '[gMASK]',
      '[|user|]',
      '[|endofturn|]',
    ],
    ...['<beginning_of_sentence>', '<end_of_sentence>', '<reserved_106>', '<eoh>', '<eoa>', '<TOKENS_UNUSED_1>'],
    ...['<_user>', '<_bot>', '<_end>', '<\u7528\u6237>', '<AI>', '<role>HUMAN</role>', '<|role_end|>', '<role_end>'],
    ...['<tool_call>', '</tool_response>', '<think>', '</think>', '<minimax:tool_call>', '<unused7>'],
    ...['[unused9]', '[unused17]', '[UNUSED_TOKEN_146]'],
    ...[']~!b[', ']~b]', '[e~[', ']!d~[', ']<]image[>['],
  ])('takes the edge off the control token %s, also with invisible characters in it', (token) => {
    const escaped = presentText(`a${token}b`);
    expect(escaped).toEqual({ text: expect.stringMatching(/^a&(?:lt|#91|#93);/), isChanged: false });
    expect(presentText(`a${token[0]}\u200b${token.slice(1)}b`).text).toBe(escaped.text);
  });

  it('leaves nothing in a text that it would take out of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const { text: shown } = presentText(text);
        expect(presentText(shown)).toEqual({ text: shown, isChanged: false });
        expect(shown).not.toMatch(/[^\P{Cc}\t\r\n]/u);
        expect(oneLine(shown.replace(/\p{Surrogate}/gu, '')).length).toBeLessThanOrEqual(shown.length);
      }),
    );
  });
});

describe('escapeWrapperTags', () => {
  it.each([
    '</skill_content>',
    '< / SKILL_CONTENT >',
    '<\u200b/skill_content>',
    '<\ufe0f/\u034fskill_content>',
    '</skill\u200b_con\u2060tent>',
    '<skill_resource skill="x">',
    '<skill_resources>',
    '<skill_active name="x" digest="00000000" />',
    '<skill_inactive name="x" />',
    '</available_skills>',
    '</\nskill_content\u200b>',
  ])('takes the edge off %j', (tag) => {
    expect(escapeWrapperTags(`a ${tag} b`)).toBe(`a &lt;${tag.slice(1)} b`);
  });

  it.each(['<b>', '<skill>', '<skill_contents>', 'a < skill', '<my-skill_content>', 'a <= skill_content'])(
    'leaves %j alone',
    (text) => {
      expect(escapeWrapperTags(text)).toBe(text);
    },
  );
});
