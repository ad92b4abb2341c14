// Parses `description`, without which no skill is offered.

import { showCharacter } from '../../diagnostics/diagnostic.ts';
import { maxDescriptionLength, maxKeptDescription } from '../../skill/limits.ts';
import { countPoints } from '../../text/count-points.ts';
import { findInvisible, mayHide } from '../../text/invisible.ts';
import { oneLine } from '../../text/neutral.ts';
import { describeKind, describeType, type FrontmatterEntry, ownText } from '../tree.ts';
import { findInValue, type PropertiesContext } from './context.ts';

/** Returns the description; undefined if it is missing, empty or not a text. */
export function parseDescription(field: FrontmatterEntry | undefined, context: PropertiesContext): string | undefined {
  const { log, start, fallbackDescription: fallback } = context;
  const value = field?.value;
  if (
    field === undefined ||
    value === undefined ||
    (value.kind === 'scalar' && (value.data === null || value.text.trim() === ''))
  ) {
    if (fallback !== undefined) log.report('description-assumed', field ?? start);
    else if (field === undefined) log.report('description-missing', start);
    else log.report('description-empty', field);
    return fallback;
  }
  if (value.kind !== 'scalar') {
    log.report('description-not-text', value, { kind: describeKind(value) });
    return undefined;
  }
  const type = describeType(value);
  if (type !== undefined) log.report('value-not-string', value, { field: 'description', kind: type });
  const text = value.text.trim();
  if (oneLine(text) === '') {
    log.report('description-empty', field);
    return ownText(text);
  }
  if (/^[\s[(<*]*TODO:/.test(text)) log.report('description-unfinished', value);
  const limit = maxDescriptionLength;
  const length = countPoints(text, limit);
  if (length > maxKeptDescription) {
    log.report('description-cut', value, { length, limit: maxKeptDescription });
  } else if (length > limit) {
    log.report('description-too-long', value, { length, limit });
  } else {
    const padded = countPoints(value.text, limit);
    if (padded > limit) log.report('description-padded', value, { length: padded, limit });
  }
  const bracket = /[<>]/.exec(text);
  if (bracket !== null) {
    log.report('description-angle-brackets', findInValue(field, bracket[0], context), { character: bracket[0] });
  }
  if (value.commented) log.report('inline-comment', value, { field: 'description' });
  reportHidden(text, field, context);
  return ownText(length > maxKeptDescription ? [...text].slice(0, maxKeptDescription).join('') : text);
}

function reportHidden(text: string, field: FrontmatterEntry, context: PropertiesContext): void {
  if (!mayHide(text)) return;
  const hidden = /[^\P{Cc}\s]/u.exec(text)?.[0] ?? findInvisible(text)?.character;
  if (hidden !== undefined) {
    const character = showCharacter(hidden);
    context.log.report('hidden-characters', findInValue(field, hidden, context), { field: 'description', character });
  }
}
