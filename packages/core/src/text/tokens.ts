// Estimates what a text costs, so that a budget needs no tokenizer, and defines the port for a real one.

/** Counts the tokens of a text; an application plugs in its model's own tokenizer. */
export type CountTokens = (text: string) => number;

const asciiPerToken = 4;
const nonAsciiPerToken = 1.5;
const ascii = /[\u0000-\u007f]+/g;

/**
 * Estimates the tokens of a text: one for every four ASCII characters, and one for every one and a half others.
 *
 * English prose has 4.06 characters a token under `o200k_base`, Chinese prose about 1.5; code and tables cost up to 20% more than
 * the estimate.
 */
export const estimateTokens: CountTokens = (text) => {
  const others = text.replace(ascii, '').length;
  return Math.ceil((text.length - others) / asciiPerToken + others / nonAsciiPerToken);
};
