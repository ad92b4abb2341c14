export { containment } from './contained-file.ts';
export { type FileSourceOptions, fileSource } from './file-source.ts';
