// Formats diagnostics for GitHub, which then marks the line in the pull request.

import type { Diagnostic } from '@skillful/core';

/** Formats a diagnostic as a workflow command. Its location must be relative to the repository. */
export function formatAnnotation({ severity, location, line, column, code, message, hint }: Diagnostic): string {
  const place = [
    `file=${escapeProperty(location)}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined ? [] : [`col=${column}`]),
    `title=${escapeProperty(code)}`,
  ];
  const level = severity === 'info' ? 'notice' : severity;
  return `::${level} ${place.join(',')}::${escapeData(hint === undefined ? message : `${message} ${hint}`)}`;
}

/** Escapes characters that would end the command or begin another one. */
function escapeData(text: string): string {
  return text.replace(/%/gu, '%25').replace(/\r/gu, '%0D').replace(/\n/gu, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/gu, '%3A').replace(/,/gu, '%2C');
}
