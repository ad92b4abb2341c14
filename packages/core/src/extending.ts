// What a source or an index of your own needs to keep the rules of ours; it runs in every JavaScript runtime.

export { findHeadEnd } from './format/head-end.ts';
export { type AddBandsOptions, addBands, closeFrom, type UnratedMatch } from './search/band.ts';
export { combineMatches } from './search/combine.ts';
export { isMatching } from './search/filter.ts';
export { checkListedPath, checkResourcePath, isPathFor } from './skill/paths.ts';
