// The root entry, which runs in every JavaScript runtime. For Node there is also `@skillful/core/node`.

export { type Catalog, type LoadCatalogOptions, loadCatalog } from './catalog/catalog.ts';
export { type CatalogChanges, compareCatalogs } from './catalog/compare.ts';
export { validateRequirements } from './catalog/requirements.ts';
export { qualifiedName, type ResolveSkillOptions, resolveSkill, type SkillResolution } from './catalog/resolve.ts';
export type { RejectedSkill } from './catalog/snapshot.ts';
export { type CatalogWatch, watchCatalog } from './catalog/watch.ts';
export type {
  ActiveSkill,
  CallView,
  MessageView,
  Preparation,
  SkillState,
} from './conversation/conversation.ts';
export type { SkillDecision } from './conversation/decisions.ts';
export type { EventContext, OnSkillEvent, SkillEvent } from './conversation/event.ts';
export type { FilePlace } from './conversation/file-place.ts';
export type { MessageForm, TextPart, UnkeyedMessage } from './conversation/message-form.ts';
export type { SkillDataParts, SkillNews } from './conversation/news.ts';
export type { PromptMessage } from './conversation/prompt-form.ts';
export type { ConversationStore, SkillStore } from './conversation/store.ts';
export { type Diagnostic, type DiagnosticCode, hasErrors, type SkillProfile } from './diagnostics/diagnostic.ts';
export { formatDiagnostic } from './diagnostics/format.ts';
export { type Activation, activateSkill } from './disclosure/activate.ts';
export { renderCatalog } from './disclosure/catalog-text.ts';
export type { CatalogFormat } from './disclosure/entry.ts';
export {
  type CatalogPlan,
  type PlanCatalogOptions,
  type PlannedSkill,
  planCatalog,
  type SkillVisibility,
} from './disclosure/plan.ts';
export type { ScriptProgress } from './disclosure/progress.ts';
export { readSkillResource, type SkillResource } from './disclosure/resource.ts';
export type { ConsentRecord, ConsentStore } from './policy/consent.ts';
export {
  type DefinePolicyOptions,
  definePolicy,
  explainPolicy,
  type PolicyDecision,
  type PolicyEffect,
  type PolicyRule,
  type SkillActor,
  type SkillPolicy,
} from './policy/policy.ts';
export type { ApprovalQuestion } from './policy/question.ts';
export { planScript, type ScriptPlan, type ScriptResult, type ScriptRunner } from './scripts/plan.ts';
export { justBashSandbox, type ScriptSandbox, sandboxRunner } from './scripts/sandbox-runner.ts';
export { readBodies } from './search/bodies.ts';
export type { SkillFilter } from './search/filter.ts';
export { hybridIndex } from './search/hybrid.ts';
export { createSkillIndex, type LexicalIndex } from './search/lexical.ts';
export type { CreateSkillIndex, SearchOptions, SkillIndex, SkillMatch } from './search/skill-index.ts';
export type { Embed, VectorCache } from './search/vectors.ts';
export type { SkillEnvironment } from './skill/environment.ts';
export { isSkillError, SkillError, type SkillErrorCode } from './skill/error.ts';
export type { Skill, SkillProperties } from './skill/skill.ts';
export type {
  ListFilesOptions,
  ListOptions,
  ReadFileOptions,
  SkillDirectory,
  SkillEntry,
  SkillFile,
  SkillFileListing,
  SkillListing,
  SkillScope,
  SkillSource,
} from './skill/source.ts';
export { cacheSource } from './sources/cache.ts';
export { filterSource } from './sources/filter.ts';
export { memorySource } from './sources/memory.ts';
export { overlaySource } from './sources/overlay.ts';
export { readerSource, type SkillReader } from './sources/reader.ts';
export { renameSource } from './sources/rename.ts';
export { type CountTokens, estimateTokens } from './text/tokens.ts';
export type { AdapterOptions } from './toolkit/adapter-options.ts';
export type { CatalogInput, DisclosureMode, ToolkitOptions } from './toolkit/options.ts';
export type { Judgement, ToolCall } from './toolkit/permission/judgement.ts';
export type { KeptResult, RedactedResult } from './toolkit/redact.ts';
export type { SkillToolkit } from './toolkit/skill-toolkit.ts';
export { createToolkit } from './toolkit/toolkit.ts';
export type {
  SkillContext,
  SkillTool,
  SkillToolDetails,
  SkillToolInputs,
  SkillToolPart,
  SkillToolResult,
} from './toolkit/tools/tool.ts';
export type { SkillTracer } from './toolkit/tracer.ts';
