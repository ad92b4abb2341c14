// Everything that the root entry offers; it runs in every JavaScript runtime. Node's part is `@skillful/core/node`.

export { type ActivateSkillOptions, type Activation, activateSkill, maxSkillBytes } from './activate.ts';
export {
  type Catalog,
  type LoadCatalogOptions,
  loadCatalog,
  type RejectedSkill,
  type ShadowedSkill,
} from './catalog.ts';
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
export { isSkillError, SkillError, type SkillErrorCode } from './error.ts';
export { type MemorySourceOptions, memorySource } from './memory-source.ts';
export { type ParsedSkill, type ParseSkillOptions, parseSkill } from './parse.ts';
export { type ActivationParts, renderActivation, renderCatalog, renderInstructions, type ToolNames } from './render.ts';
export { qualifiedName, resolveSkill, type SkillResolution } from './resolve.ts';
export { type ReadSkillResourceOptions, readSkillResource, type SkillResource } from './resource.ts';
export { checkResourcePath } from './resource-path.ts';
export type { Skill, SkillProperties, SkillScope } from './skill.ts';
export type {
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
export type { JsonSchemaObject, SkillContext, SkillTool, SkillToolDetails, SkillToolResult } from './tool.ts';
export {
  type CatalogInput,
  createToolkit,
  type SkillDisclosure,
  type SkillToolkit,
  type ToolkitOptions,
} from './toolkit.ts';
