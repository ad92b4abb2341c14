// For editors, validators and command lines that check or write a `SKILL.md`. An agent does not need it.

export { createDiagnostic, type DiagnosticSite } from './diagnostics/diagnostic.ts';
export { diagnosticCodes, explainDiagnostic } from './diagnostics/document.ts';
export { type SarifLog, type SarifResult, type ToSarifOptions, toSarif } from './diagnostics/sarif.ts';
export { checkFileNames } from './disclosure/file-names.ts';
export { type ParsedSkill, type ParseSkillOptions, parseSkill } from './format/parse.ts';
export { type FixedSkill, fixSkill } from './format/write/fix.ts';
export { formatSkill } from './format/write/write.ts';
export { maxSkillBytes } from './skill/limits.ts';
export { closestNames } from './text/closest.ts';
