// Everything that the root entry offers; it runs in every JavaScript runtime. Node's part is `@skillful/core/node`.

export {
  type ActivateSkillOptions,
  type Activation,
  activateSkill,
  activationLimit,
  maxSkillBytes,
} from './activate.ts';
export { type SkillArguments, splitArguments, substituteArguments } from './arguments.ts';
export type { AttachBudget, Attachment } from './attach.ts';
export { type CacheSourceOptions, cacheSource } from './cache-source.ts';
export {
  type Catalog,
  type LoadCatalogOptions,
  loadCatalog,
  type ShadowedSkill,
} from './catalog.ts';
export type { CatalogFormat } from './catalog-entry.ts';
export { type CatalogChanges, compareCatalogs } from './compare.ts';
export {
  createDiagnostic,
  type Diagnostic,
  type DiagnosticCode,
  type DiagnosticSite,
  formatDiagnostic,
  hasErrors,
  type Severity,
  type SkillProfile,
} from './diagnostic.ts';
export { diagnosticCodes, explainDiagnostic } from './diagnostic-pages.ts';
export { isSkillError, SkillError, type SkillErrorCode } from './error.ts';
export type { OnSkillEvent, SkillEvent } from './event.ts';
export { type FixedSkill, fixSkill } from './fix.ts';
export { formatSkill } from './format.ts';
export { frontmatterSchema, type JsonSchema } from './frontmatter-schema.ts';
export { type FilterCandidate, filterSource, overlaySource, prefixSource, renameSource } from './layers.ts';
export type { ActiveSkill, ConversationItem } from './ledger.ts';
export type { EntrySnapshot, RejectedSkill, SourceSnapshot } from './load-source.ts';
export { type MemorySourceOptions, memorySource } from './memory-source.ts';
export { parseMentions, type SkillMention } from './mention.ts';
export type { ToolNames } from './offer.ts';
export { findSection, outlineMarkdown, type Section } from './outline.ts';
export {
  type ParsedSkill,
  type ParseSkillHeadOptions,
  type ParseSkillOptions,
  parseSkill,
  parseSkillHead,
  type SkillHead,
} from './parse.ts';
export {
  type CatalogBudget,
  type CatalogPlan,
  type CutReason,
  type PlanCatalogOptions,
  type PlannedSkill,
  planCatalog,
  type Showing,
} from './plan.ts';
export { type OfferedTools, renderCatalog, renderCatalogChange, renderInstructions } from './render.ts';
export { qualifiedName, resolveSkill, type SkillResolution } from './resolve.ts';
export { type ReadSkillResourceOptions, readSkillResource, type SkillResource } from './resource.ts';
export { checkResourcePath } from './resource-path.ts';
export { type SarifLog, type ToSarifOptions, toSarif } from './sarif.ts';
export { createSkillIndex, type SkillIndex, type SkillMatch } from './search.ts';
export type { Skill, SkillProperties, SkillScope } from './skill.ts';
export type {
  KnownEntry,
  ListOptions,
  ReadFileOptions,
  SkillDirectory,
  SkillEntry,
  SkillFile,
  SkillFileListing,
  SkillListing,
  SkillSource,
  SourceOptions,
} from './source.ts';
export { type CountTokens, estimateTokens } from './tokens.ts';
export type {
  JsonSchemaObject,
  JsonSchemaProperty,
  SkillContext,
  SkillConversation,
  SkillTool,
  SkillToolDetails,
  SkillToolPart,
  SkillToolResult,
} from './tool.ts';
export type { CreateSkillIndex } from './tool-find.ts';
export { createToolkit, type SkillDisclosure, type SkillToolkit, type ToolCall } from './toolkit.ts';
export type { CatalogInput, DisclosureMode, ToolkitOptions } from './toolkit-options.ts';
export { type CatalogWatch, type SourcesInput, type WatchCatalogOptions, watchCatalog } from './watch.ts';
