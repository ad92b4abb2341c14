// Turns fields into typed properties, with a diagnostic for every rule that they break.

import type { SkillProperties } from '../../skill/skill.ts';
import { clientFields, knownFields, standardFields, suggestField } from '../fields.ts';
import { type FrontmatterEntry, isPolluting, toData } from '../tree.ts';
import { parseAllowedTools } from './allowed-tools.ts';
import { extend, type PropertiesContext } from './context.ts';
import { parseDescription } from './description.ts';
import { noEntries, parseMetadata } from './metadata.ts';
import { parseName } from './name-field.ts';
import { remedyFor } from './name-remedy.ts';
import { addField, addFieldsWithin, collectRestrictions, type Restrictions } from './restrictions.ts';
import type { StraySwitch } from './stray-switches.ts';
import { isToolsField, parseSwitch } from './switches.ts';
import { parseArgumentHint, parseCompatibility, parseText, parseWords } from './text-fields.ts';

// Shared by the many skills that have neither tools nor arguments.
const noWords: readonly string[] = Object.freeze([]);

/**
 * Parses the fields; there are no properties without a usable name and description. `strays` are lines that restrict the skill
 * although they are not fields.
 */
export function parseProperties(
  fields: readonly FrontmatterEntry[],
  strays: readonly StraySwitch[],
  context: PropertiesContext,
): { readonly name: string | undefined; readonly properties: SkillProperties | undefined } {
  const { log } = context;
  const restricted = collectRestrictions(strays, context.duplicates, log);
  const { known, toolFields } = sortFields(fields, restricted, context);
  const name = parseName(known.get('name'), context);
  const description = parseDescription(known.get('description'), context);
  const license = parseText(known.get('license'), context);
  const compatibility = parseCompatibility(known.get('compatibility'), context);
  const whenToUse = parseText(known.get('when_to_use'), context);
  const argumentHint = parseArgumentHint(known.get('argument-hint'), context);
  const metadata = parseMetadata(known.get('metadata'), context);
  const allowedTools = parseAllowedTools(toolFields, context);
  const disabled = parseSwitch(known.get('disable-model-invocation'), true, context);
  const userInvocable = parseSwitch(known.get('user-invocable'), false, context);
  const argumentNames = parseWords(known.get('arguments'), context);
  if (name === undefined || description === undefined) return { name, properties: undefined };
  const properties: { -readonly [Key in keyof SkillProperties]: SkillProperties[Key] } = {
    name,
    description,
    metadata,
    allowedTools: allowedTools.length === 0 ? noWords : allowedTools,
    disableModelInvocation: disabled || restricted.names.has('disable-model-invocation'),
    userInvocable: userInvocable && !restricted.names.has('user-invocable'),
    internal: restricted.names.has('internal'),
    arguments: argumentNames.length === 0 ? noWords : argumentNames,
    extensions: context.extensions ?? noEntries,
  };
  if (log.diagnostics.some(({ code }) => code === 'allowed-tools-doubtful')) properties.allowedToolsDoubtful = true;
  if (toolFields.some(({ key }) => key !== 'allowed-tools')) properties.allowedToolsMisspelt = true;
  if (license !== undefined) properties.license = license;
  if (compatibility !== undefined) properties.compatibility = compatibility;
  if (whenToUse !== undefined) properties.whenToUse = whenToUse;
  if (argumentHint !== undefined) properties.argumentHint = argumentHint;
  return { name, properties };
}

/** Sorts fields into known ones and those that request tools, and passes all others to `extend`. */
function sortFields(
  fields: readonly FrontmatterEntry[],
  restricted: Restrictions,
  context: PropertiesContext,
): { readonly known: ReadonlyMap<string, FrontmatterEntry>; readonly toolFields: readonly FrontmatterEntry[] } {
  const { log } = context;
  const known = new Map<string, FrontmatterEntry>();
  const toolFields: FrontmatterEntry[] = [];
  const reportPolluting = (entry: FrontmatterEntry): void => log.report('key-polluting', entry, { field: entry.key });
  for (const field of fields) {
    const flow = findFlow(field);
    if (flow !== undefined) log.report('yaml-flow', flow, { field: flow.key });
    const isKnown = knownFields.has(field.key);
    const isTools = isToolsField(field.key);
    if (isTools) toolFields.push(field);
    if (isKnown) {
      addFieldsWithin(field, restricted);
      known.set(field.key, field);
      if (!standardFields.has(field.key)) log.report('field-of-client', field, { field: field.key });
    } else if (isPolluting(field)) {
      reportPolluting(field);
    } else if (!isTools) {
      reportUnknown(field, addField(field, restricted), context);
      extend(context, field.key, toData(field.value, reportPolluting));
    }
  }
  return { known, toolFields };
}

function reportUnknown(field: FrontmatterEntry, isReported: boolean, context: PropertiesContext): void {
  const { log, directoryName } = context;
  const { key, value } = field;
  if (clientFields.has(key)) {
    log.report('field-of-client', field, { field: key });
    return;
  }
  const meant = suggestField(key);
  const text = value.kind === 'scalar' ? value.text : '';
  if (meant === undefined) {
    if (!isReported) log.report('field-unknown', field, { field: key });
    return;
  }
  const known = meant === 'name' ? `name: ${remedyFor(text, directoryName).suggestion}` : meant;
  if (!isReported) log.report('field-misspelt', field, { field: key, meant, known });
  // With the correct spelling, it would still be a client's field.
  if (!standardFields.has(meant)) log.report('field-of-client', field, { field: meant });
}

/** Finds the first field, this one or one below it, whose value is in brackets. */
function findFlow(field: FrontmatterEntry): FrontmatterEntry | undefined {
  const { value } = field;
  if (value.kind === 'scalar') return undefined;
  if (value.flow) return field;
  const below = value.kind === 'list' ? value.items.map((item) => ({ ...field, value: item })) : value.entries;
  for (const each of below) {
    const found = findFlow(each);
    if (found !== undefined) return found;
  }
  return undefined;
}
