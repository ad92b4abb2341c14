// Finds characters that no skill needs: the control characters of ASCII, and two that Unicode reserves.

const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;

/** Finds the first control character other than a tab or a line end. */
export function findControlCharacter(text: string): { readonly index: number; readonly character: string } | undefined {
  const match = controlCharacter.exec(text);
  return match === null ? undefined : { index: match.index, character: match[0] };
}
