// The bounds of a `SKILL.md`, checked before anything is parsed.

/**
 * Bytes from the start of the file within which the closing fence must end; the longest of 93,349 public frontmatters has 9,097.
 */
export const maxFrontmatterBytes: number = 16 * 1024;

/** Bytes to read so that the longest allowed frontmatter is included. */
export const maxHeadBytes: number = maxFrontmatterBytes + 1024;

/** Bytes of a whole `SKILL.md`; the longest of 93,349 public ones has 294,426. */
export const maxSkillBytes: number = 512 * 1024;

/** Keys of the frontmatter, at every depth together. */
export const maxFrontmatterKeys = 256;

/**
 * Line ends, commas, brackets, quotes, `&`, `*`, `!`, and backslashes except those of letters such as `\u4e2d`, of the frontmatter
 * together; 10,000 public ones have at most 500.
 */
export const maxFrontmatterMarks = 1024;

/** Levels of nesting in the frontmatter. */
export const maxFrontmatterDepth = 16;

/** Code points of a name, after NFKC. */
export const maxNameLength = 64;

/** Code points of the longest name that is accepted: a few longer names would push all other skills out of the catalog. */
export const maxUsableName = 256;

/** Bytes of a bundled file, unless a caller sets another limit. */
export const maxResourceBytes: number = 5 * 1024 * 1024;

/** How many of the paths that it left out a file listing names. */
export const maxRefusedPaths = 20;

/** Code points of a description, without the white space around it. */
export const maxDescriptionLength = 1024;

/** Code points of a description that are kept, whatever the profile; the longest of 10,000 public ones has 2,240. */
export const maxKeptDescription = 4_096;

/** Entries of `metadata` that are kept; 10,000 public files have at most 13. */
export const maxMetadataEntries = 64;

/** Code points of a key of `metadata`; the longest of 10,000 public files has 24. */
export const maxMetadataKey = 64;

/** Code points of a value of `metadata`, nested ones as JSON; the longest of 10,000 public files has 2,943. */
export const maxMetadataValue = 4_096;

/** Code points of a `compatibility` text. */
export const maxCompatibilityLength = 500;
