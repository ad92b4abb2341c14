// Everything that the Node entry offers: skills on disk, and where clients keep them.

export { type ClientLayout, type ClientName, clientLayouts, isClientName, layoutOf } from './clients.ts';
export { containment } from './contained-file.ts';
export { type FileSourceOptions, fileSource } from './file-source.ts';
export { type PluginSourceOptions, pluginSource } from './plugin-source.ts';
export { type ClientPresetOptions, clientPreset } from './preset.ts';
export { findProject, type Project } from './project.ts';
export { isTrustedProject, type TrustOption } from './trust.ts';
export {
  expandPath,
  findUserDirectories,
  type UserDirectories,
  type UserDirectoriesOptions,
} from './user-directories.ts';
