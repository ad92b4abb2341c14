// For your own source or index, to follow the same rules as the built-in ones. Runs in every JavaScript runtime.

export { isForModels } from './disclosure/plan.ts';
export { findHeadEnd } from './format/fences/fast-fence.ts';
export { createFileCheck } from './policy/file-check.ts';
export { addBands, exactName, type UnratedMatch, type UnratedMatches } from './search/band.ts';
export { combineMatches, type MatchByMeaning } from './search/combine.ts';
export { isMatching } from './search/filter.ts';
export { closenessFrom, offTopicQuestions } from './search/off-topic.ts';
export { purposeOf } from './search/purpose.ts';
export { checkSearch } from './search/skill-index.ts';
export { checkVectors, embeddedText } from './search/vectors.ts';
export { foldName, separateWords } from './search/words.ts';
export { reasonOf } from './skill/error.ts';
export { checkCounts, checkKeys } from './skill/options.ts';
export { checkListedPath, checkResourcePath, isPathFor } from './skill/paths.ts';
