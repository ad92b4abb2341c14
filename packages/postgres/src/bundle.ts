// Reads a whole skill from its source, in the form in which it is published.

import { createHash } from 'node:crypto';
import type { Skill, SkillFile } from '@skillful/core';
import { findHeadEnd, purposeOf } from '@skillful/core/extending';
import { toSearchable, toStorable } from './texts.ts';

/** Characters of the body of a `SKILL.md` that are searched. */
const searchedLength = 2_000;

/** Bytes of a path, because the index by tenant, digest and path allows 2,704 bytes in total. */
const longestPath = 1_500;

/** One file. It has no content if it is too large to be published. */
export interface BundledFile {
  readonly path: string;
  readonly bytes: number;
  readonly content?: Uint8Array;
}

/** One skill in the form in which it is published. */
export interface Bundle {
  /** Changes whenever anything else in the bundle does. */
  readonly digest: string;
  readonly directory: string;
  /** The name that a layer gave the skill before it was published. */
  readonly name: string | undefined;
  readonly plugin: string | undefined;
  readonly profile: string | undefined;
  /** The files; the first is `SKILL.md`. */
  readonly files: readonly BundledFile[];
  readonly truncated: boolean;
  readonly refused: readonly string[];
  readonly head: Uint8Array;
  readonly sidecar: Uint8Array | undefined;
  /** What the skill is for, in the author's words. */
  readonly purpose: string;
  /** The texts that are searched, most important first: the name, the purpose, and the beginning of the body. */
  readonly texts: readonly [name: string, purpose: string, body: string];
}

export interface ReadBundleOptions {
  /** Larger files are published without their content. */
  readonly maxFileBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** A sidecar that keeps models from a skill. */
const restriction = new TextEncoder().encode('policy:\n  allow_implicit_invocation: false\n');

/** Reads all files of a skill. Rejects if one of them cannot be read. */
export async function readBundle(skill: Skill, { maxFileBytes, signal }: ReadBundleOptions): Promise<Bundle> {
  // Skills are stored by name.
  const { name: directory, properties, source, profile } = skill;
  const { files: all, truncated, refused = [] } = await source.listFiles(skill, { signal });
  const isStorable = ({ path }: SkillFile): boolean => Buffer.byteLength(path) <= longestPath;
  const unstorable = all.filter((file) => !isStorable(file)).map(({ path }) => path);
  async function read(path: string, maxBytes: number): Promise<BundledFile> {
    const content = await source.readFile(skill, path, { signal, maxBytes, fromListing: true });
    return { path, bytes: content.length, content };
  }
  const main = await source.readFile(skill, 'SKILL.md', { signal });
  const files: readonly BundledFile[] = await Promise.all(
    all
      .filter(isStorable)
      .map(({ path, bytes }) => (bytes > maxFileBytes ? { path, bytes } : read(path, maxFileBytes))),
  );
  const end = findHeadEnd(main);
  const body = new TextDecoder().decode(main.subarray(end)).slice(0, searchedLength);
  const purpose = purposeOf(skill);
  const ownSidecar = files.find(({ path }) => path === 'agents/openai.yaml')?.content;
  // The sidecar that says so may be missing, because it is too large or a link that its source does not follow.
  const isRestricted = properties.disableModelInvocation;
  const about = {
    directory,
    name: directory === properties.name ? undefined : directory,
    plugin: skill.plugin && toStorable(skill.plugin),
    profile,
    purpose,
    truncated,
    refused: [...refused, ...unstorable].map(toStorable),
    ...(isRestricted && { isRestricted }),
  };
  const bundled = [{ path: 'SKILL.md', bytes: main.length, content: main }, ...files];
  const texts = [toSearchable(directory), toSearchable(purpose), toSearchable(body)] as const;
  return {
    ...about,
    // With the texts, so that a skill is sent again if a newer version of this package separates its words in another way.
    digest: digestOf({ ...about, texts }, bundled),
    files: bundled,
    head: main.subarray(0, end),
    sidecar: isRestricted ? restriction : ownSidecar,
    texts,
  };
}

/** Computes the digest of a bundle. Lengths are hashed as well, so that different bundles never have the same bytes. */
function digestOf(about: object, files: readonly BundledFile[]): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([about, files.map(({ path, bytes, content }) => [path, bytes, content !== undefined])]));
  for (const { content } of files) if (content !== undefined) hash.update(content);
  return `sha256:${hash.digest('hex')}`;
}
