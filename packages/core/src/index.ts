// The root entry, which runs in every JavaScript runtime. For Node there is also `@skillful/core/node`.

export { type Catalog, type LoadCatalogOptions, loadCatalog } from './catalog/catalog.ts';
export { type CatalogChanges, compareCatalogs } from './catalog/compare.ts';
export type { ShadowedSkill } from './catalog/decide-names.ts';
export { qualifiedName } from './catalog/names.ts';
export { validateRequirements } from './catalog/requirements.ts';
export { type ResolveSkillOptions, resolveSkill, type SkillResolution } from './catalog/resolve.ts';
export type { RejectedSkill } from './catalog/snapshot.ts';
export { type CatalogWatch, type WatchCatalogOptions, watchCatalog } from './catalog/watch.ts';
export type { SkillSwitches, WithheldSkill } from './catalog/withhold.ts';
export type {
  ActiveSkill,
  CallView,
  MessageEdit,
  MessageView,
  Preparation,
  ResultView,
  SkillRecord,
  SkillState,
  ToolCall,
} from './conversation/conversation.ts';
export type { SkillDecision } from './conversation/decisions.ts';
export type { EventContext, OnSkillEvent, ReportedEvent, SkillEvent } from './conversation/event.ts';
export type { FilePlace } from './conversation/file-place.ts';
export type {
  MessageChange,
  MessageForm,
  ResultChange,
  TextPart,
  UnkeyedMessage,
} from './conversation/message-form.ts';
export type { SkillDataParts, SkillNews } from './conversation/news.ts';
export type { PromptFile, PromptMessage } from './conversation/prompt-form.ts';
export type { ConversationStore, SkillStore } from './conversation/store.ts';
export type { SkillToolPart, StoredResult } from './conversation/stored.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  hasErrors,
  type Severity,
  type SkillProfile,
} from './diagnostics/diagnostic.ts';
export { type FormatDiagnosticOptions, formatDiagnostic } from './diagnostics/format.ts';
export { type Activation, activateSkill } from './disclosure/activate.ts';
export { renderCatalog } from './disclosure/catalog-text.ts';
export type { CatalogFormat } from './disclosure/entry.ts';
export {
  type CatalogBudget,
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
  type PolicyAction,
  type PolicyDecision,
  type PolicyEffect,
  type PolicyRequest,
  type PolicyRule,
  type SkillActor,
  type SkillPolicy,
} from './policy/policy.ts';
export type { ApprovalAction, ApprovalQuestion } from './policy/question.ts';
export type { PolicyPattern } from './policy/rules.ts';
export type { ToolName, ToolNameMap } from './policy/tool-pattern.ts';
export {
  loadScriptPlan,
  type RunScriptOptions,
  type ScriptCall,
  type ScriptPiece,
  type ScriptPlan,
  type ScriptResult,
  type ScriptRunner,
} from './scripts/plan.ts';
export {
  type BashLike,
  justBashSandbox,
  type SandboxCommand,
  type SandboxOutcome,
  type SandboxRunnerOptions,
  type ScriptSandbox,
  sandboxRunner,
} from './scripts/sandbox-runner.ts';
export { type ReadBodiesOptions, readBodies } from './search/bodies.ts';
export type { SkillFilter } from './search/filter.ts';
export { type HybridIndexOptions, hybridIndex, type Rerank } from './search/hybrid.ts';
export { type CreateSkillIndexOptions, createSkillIndex, type LexicalIndex } from './search/lexical.ts';
export type { CreateSkillIndex, SearchBand, SearchOptions, SkillIndex, SkillMatch } from './search/skill-index.ts';
export type { Embed, EmbedOptions, VectorCache } from './search/vectors.ts';
export type { SkillEnvironment } from './skill/environment.ts';
export { isSkillError, SkillError, type SkillErrorCode } from './skill/error.ts';
export type { Skill, SkillProperties } from './skill/skill.ts';
export type {
  KnownEntry,
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
export { type ReaderSourceOptions, readerSource, type SkillReader } from './sources/reader.ts';
export { renameSource } from './sources/rename.ts';
export { type CountTokens, estimateTokens } from './text/tokens.ts';
export type {
  AdapterOptions,
  AllowedToolsOptions,
  CatalogInput,
  ConsentOptions,
  DisclosureMode,
  ToolkitOptions,
  UnlockedTools,
} from './toolkit/options.ts';
export type { KeptResult, RedactedResult } from './toolkit/redact.ts';
export type { Judgement, PreparedMessages, SkillToolkit } from './toolkit/skill-toolkit.ts';
export { createToolkit } from './toolkit/toolkit.ts';
export type {
  SkillContext,
  SkillTool,
  SkillToolDetails,
  SkillToolInputs,
  SkillToolResult,
  StandardInputSchema,
  ToolInputSchema,
} from './toolkit/tools/tool.ts';
export type { SkillSpan, SkillTracer } from './toolkit/tracer.ts';
