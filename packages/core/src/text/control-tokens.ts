// Escapes the control tokens of chat formats: text that a tokenizer could take for the beginning of another turn.

/**
 * Words in angle brackets: Llama 2 and Mistral `<s>`, Gemma 1 to 3, GLM `<sop>`, Command R, Nemotron, Seed, MiniMax, Baichuan,
 * InternLM, TeleChat `<_user>`, MiniCPM and Ling. Qwen and GLM read everything inside `<tool_response>` as the result of a tool.
 */
const angleWords = [
  ...['s', 'unk', 'pad', 'bos', 'eos', 'sop', 'eop', '(?:BOS|EOS|EOP|CLS|SEP|MASK|PAD|UNK)_TOKEN'],
  ...['(?:start|end)_of_(?:turn|image|audio)', 'SPECIAL_\\d+', 'extra_id_\\d+', 'seed:[\\w:]{1,40}'],
  ...['(?:beginning|end)_of_(?:sentence|text)', 'reserved_\\d+', 'eo[hastm]', 'TOKENS_UNUSED_\\d+', 'role_end'],
  ...['(?:minimax:)?tool_call', 'tool_response', 'think', 'unused\\d+'],
  ...['_(?:start|end|pad|user|bot|system)', '\u7528\u6237', 'AI'],
].join('|');

/**
 * `<|im_start|>` and similar tokens: ChatML, Qwen, Phi, Llama 3 and 4, Command R, Granite, Kimi, GLM, gpt-oss; `<|turn>` and
 * `<turn|>` of Gemma 4; `<｜User｜>` of DeepSeek, whose bars are full-width.
 *
 * @see https://www.llama.com/docs/model-cards-and-prompt-formats/
 * @see https://github.com/openai/harmony
 * @see https://ai.google.dev/gemma/docs/core/prompt-structure
 */
const angleToken = new RegExp(
  `<(?=[|\uff5c][^\\s<>]{1,64}>|[^\\s<>|\uff5c]{1,64}[|\uff5c]>|/?(?:${angleWords})>|</?SYS>>|/?role>(?:SYSTEM|HUMAN|ASSISTANT|OBSERVATION|TOOL)</role>)`,
  'g',
);

/** Words in square brackets, of Mistral, openPangu and InternLM 2. @see https://github.com/mistralai/mistral-common */
const squareWords = [
  ...['INST', 'SYSTEM_PROMPT', 'AVAILABLE_TOOLS', 'TOOL_CALLS', 'TOOL_RESULTS', 'TOOL_CONTENT', 'MODEL_SETTINGS'],
  ...['THINK', 'ARGS', 'CALL_ID', 'TRANSCRIBE', 'IMG', 'IMG_BREAK', 'IMG_END', 'AUDIO', 'BEGIN_AUDIO', 'STREAMING_PAD'],
  ...['unused\\d+', 'UNUSED_TOKEN_\\d+'],
].join('|');

/** Also `[gMASK]` of GLM, `[|user|]` of EXAONE, and `]~b]`, `[e~[` and `]<]image[>[` of MiniMax. */
const square = `\\[(?=/?(?:${squareWords})\\]|[gs]?MASK\\]|\\|\\w{1,40}\\|\\]|e~\\[)|\\](?=~!b\\[|~b\\]|![dp]~\\[|<\\][^<>\\[\\]]{1,40}\\[>\\[)`;

/** The bracket that begins a token in square brackets. */
export const squareToken: RegExp = new RegExp(square, 'g');

/** What must be escaped in a line of data: tags, and tokens in square brackets. */
export const markupOrToken: RegExp = new RegExp(`[&<>"']|${square}`, 'g');

/** Escapes the first character of each control token and nothing else. */
export function escapeControlTokens(text: string): string {
  return text.replace(angleToken, '&lt;').replace(squareToken, escapeBracket);
}

/** Writes a square bracket as an entity. */
export function escapeBracket(bracket: string): string {
  return bracket === '[' ? '&#91;' : '&#93;';
}
