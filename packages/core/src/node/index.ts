// The entry for Node: skills on disk, where clients keep them, and how to change them.

export {
  type InstructionFile,
  type InstructionFiles,
  type LoadInstructionFilesOptions,
  loadInstructionFiles,
} from './clients/instructions.ts';
export { type ClientLayout, type ClientName, clientLayouts, isClientName } from './clients/layouts.ts';
export { type InstalledPackage, type PackageSourcesOptions, packageSources } from './clients/package-source.ts';
export { type PluginSourceOptions, pluginSource } from './clients/plugin-source.ts';
export { type ClientPresetOptions, clientPreset } from './clients/preset.ts';
export { type FileSourceOptions, fileSource } from './discovery/file-source.ts';
export { containment } from './disk/contained-file.ts';
export { isLeftover } from './disk/leftovers.ts';
export { type ReadSmallTextOptions, readSmallText, type SmallText } from './disk/read.ts';
export { type ReplaceFileOptions, replaceFile } from './disk/write.ts';
export { type LocalEnvironmentOptions, localEnvironment } from './environment/local-environment.ts';
export { findProject, type Project } from './environment/project.ts';
export { isTrustedProject, type TrustOption } from './environment/trust.ts';
export {
  expandPath,
  findUserDirectories,
  type UserDirectories,
  type UserDirectoriesOptions,
} from './environment/user-directories.ts';
export { settingsConsents, withdrawConsents } from './manage/consents.ts';
export { type WriteSkillOptions, type WrittenSkill, writeSkill } from './manage/create-skill.ts';
export { settingsId } from './manage/decisions.ts';
export { type OwnDirectoryOptions, ownSkillsDirectory } from './manage/directories.ts';
export { findSkillAt } from './manage/find-skill-at.ts';
export { type RemoveSkillOptions, removeSkill } from './manage/remove-skill.ts';
export {
  loadSettings,
  type Settings,
  type SettingsOptions,
  setProjectTrusted,
  setSkillEnabled,
  settingsPath,
} from './manage/settings.ts';
export type { SkillDraft } from './manage/skill-draft.ts';
export type { TrustedProject } from './manage/trusted.ts';
export { type BubblewrapRunnerOptions, bubblewrapRunner } from './scripts/bubblewrap-runner.ts';
export { type ProcessRunnerOptions, processRunner } from './scripts/process-runner.ts';
export { scriptPath } from './scripts/script-path.ts';
