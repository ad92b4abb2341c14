// Everything that the Node entry offers: skills on disk, where clients keep them, and changing them.

export { type ClientLayout, type ClientName, clientLayouts, isClientName, layoutOf } from './clients.ts';
export { containment } from './contained-file.ts';
export { type FileSourceOptions, fileSource } from './file-source.ts';
export {
  type InstructionFile,
  type Instructions,
  type LoadInstructionsOptions,
  loadInstructions,
} from './instructions.ts';
export {
  type CreatedSkill,
  createSkill,
  initSkills,
  type OwnDirectoryOptions,
  openDirectory,
  ownSkillsDirectory,
} from './manage.ts';
export { findOwner } from './owns.ts';
export { type InstalledPackage, type PackageSourcesOptions, packageSources } from './package-source.ts';
export { agentPluginSource, type PluginSourceOptions, pluginSource } from './plugin-source.ts';
export { type ClientPresetOptions, clientPreset } from './preset.ts';
export { findProject, type Project } from './project.ts';
export { removeSkill } from './remove-skill.ts';
export {
  loadSettings,
  type Settings,
  type SettingsOptions,
  setProjectTrusted,
  setSkillEnabled,
  settingsPath,
} from './settings.ts';
export { settingsId } from './skill-decisions.ts';
export type { SkillDraft } from './skill-draft.ts';
export { isTrustedProject, type TrustOption } from './trust.ts';
export {
  expandPath,
  findUserDirectories,
  type UserDirectories,
  type UserDirectoriesOptions,
} from './user-directories.ts';
