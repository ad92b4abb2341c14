// Everything that the root entry offers; it runs in every JavaScript runtime. Node's part is `@skillful/core/node`.

export {
  type Catalog,
  type LoadCatalogOptions,
  loadCatalog,
  type ShadowedSkill,
} from './catalog/catalog.ts';
export { type CatalogChanges, compareCatalogs } from './catalog/compare.ts';
export { parseMentions, type SkillMention } from './catalog/mention.ts';
export { qualifiedName, resolveSkill, type SkillResolution } from './catalog/resolve.ts';
export { createSkillIndex, type SkillIndex, type SkillMatch } from './catalog/search.ts';
export type { RejectedSkill } from './catalog/snapshot.ts';
export { type CatalogWatch, type SourcesInput, type WatchCatalogOptions, watchCatalog } from './catalog/watch.ts';
export {
  createDiagnostic,
  type Diagnostic,
  type DiagnosticCode,
  type DiagnosticSite,
  formatDiagnostic,
  hasErrors,
  type Severity,
  type SkillProfile,
} from './diagnostics/diagnostic.ts';
export { diagnosticCodes, explainDiagnostic } from './diagnostics/document.ts';
export { type SarifLog, type ToSarifOptions, toSarif } from './diagnostics/sarif.ts';
export {
  type ActivateSkillOptions,
  type Activation,
  activateSkill,
  activationLimit,
} from './disclosure/activate.ts';
export {
  type OfferedTools,
  renderCatalog,
  renderCatalogChange,
  renderSystemText,
} from './disclosure/catalog-text.ts';
export type { CatalogFormat } from './disclosure/entry.ts';
export type { ActiveSkill, ConversationItem } from './disclosure/ledger.ts';
export {
  type CatalogBudget,
  type CatalogPlan,
  type CutReason,
  type PlanCatalogOptions,
  type PlannedSkill,
  planCatalog,
  type SkillVisibility,
} from './disclosure/plan.ts';
export { type ReadSkillResourceOptions, readSkillResource, type SkillResource } from './disclosure/resource.ts';
export {
  type ParsedSkill,
  type ParseSkillHeadOptions,
  type ParseSkillOptions,
  parseSkill,
  parseSkillHead,
  type SkillHead,
} from './format/parse.ts';
export { frontmatterSchema, type JsonSchema } from './format/properties/schema.ts';
export { type FixedSkill, fixSkill } from './format/write/fix.ts';
export { formatSkill } from './format/write/write.ts';
export { isSkillError, SkillError, type SkillErrorCode } from './skill/error.ts';
export { maxSkillBytes } from './skill/limits.ts';
export { checkResourcePath } from './skill/paths.ts';
export type { Skill, SkillProperties } from './skill/skill.ts';
export type {
  ListOptions,
  ReadFileOptions,
  SkillDirectory,
  SkillEntry,
  SkillFile,
  SkillFileListing,
  SkillListing,
  SkillScope,
  SkillSource,
  SourceOptions,
} from './skill/source.ts';
export { type CacheSourceOptions, cacheSource } from './sources/cache.ts';
export { type FilterCandidate, filterSource } from './sources/filter.ts';
export { type MemorySourceOptions, memorySource } from './sources/memory.ts';
export { overlaySource } from './sources/overlay.ts';
export { renameSource } from './sources/rename.ts';
export { type SkillArguments, splitArguments, substituteArguments } from './text/arguments.ts';
export { findSection, outlineMarkdown, type Section } from './text/outline.ts';
export { type CountTokens, estimateTokens } from './text/tokens.ts';
export type { Attachment, ReattachBudget } from './toolkit/attach.ts';
export type { OnSkillEvent, SkillEvent } from './toolkit/event.ts';
export type { ToolNames } from './toolkit/offer.ts';
export type { CatalogInput, DisclosureMode, ToolkitOptions } from './toolkit/options.ts';
export type {
  JsonSchemaObject,
  JsonSchemaProperty,
  SkillContext,
  SkillConversation,
  SkillTool,
  SkillToolDetails,
  SkillToolPart,
  SkillToolResult,
} from './toolkit/tool.ts';
export { createToolkit, type SkillDisclosure, type SkillToolkit, type ToolCall } from './toolkit/toolkit.ts';
export type { CreateSkillIndex } from './toolkit/tools/find.ts';
