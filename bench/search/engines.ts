// The engines that are compared, each as its documentation shows it, and with stems and stop words if it can have them.

import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { LocalFilesystem, Workspace } from '@mastra/core/workspace';
import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import FlexSearch from 'flexsearch';
import Fuse from 'fuse.js';
import lunr from 'lunr';
import MiniSearch from 'minisearch';
import {
  createSkillIndex,
  type Embed,
  hybridIndex,
  memorySource,
  type Rerank,
  type Skill,
} from '../../packages/core/src/index.ts';
import { indexInDatabase } from './database.ts';
import type { Search } from './metrics.ts';
import { rerankByWords } from './rerank-words.ts';
import { embedBySentences } from './sentence-vectors.ts';
import type { Described } from './sets.ts';
import { embedByWords } from './word-vectors.ts';

const require = createRequire(import.meta.url);
const wink = require('wink-bm25-text-search');
const nlp = require('wink-nlp-utils');
const english = require('flexsearch/lang/en');
const stem: (word: string) => string = require('wink-porter2-stemmer');

export interface Engine {
  readonly name: string;
  readonly index: (documents: readonly Described[]) => Search | Promise<Search>;
  /** Queries of each set that a slow one is measured on. @default all */
  readonly most?: number;
}

const limit = 10;

/** Milliseconds for all vectors of a catalog. */
export const timeout = 3_600_000;

const source = memorySource({});

/** Makes a skill of a name and a description. */
export function skillOf({ id, name, description }: Described): Skill {
  const none = { metadata: {}, allowedTools: [], arguments: [], extensions: {} };
  const flags = { disableModelInvocation: false, userInvocable: true, internal: false };
  const properties = { name, description, ...none, ...flags };
  return { name, description, properties, source, directory: id, location: `${id}/SKILL.md`, bytes: 0 };
}

const common: ReadonlySet<string> = new Set(
  'a also all an and any are as at be by can do does for from has have how i if in into is it its me my of on or our so that the their them then these this to use used user using want was what when where which will with you your'.split(
    ' ',
  ),
);

function miniSearch(name: string, options: object, searchOptions: object, most = 200): Engine {
  return {
    name,
    most,
    index(documents) {
      const index = new MiniSearch({ fields: ['name', 'description'], ...options });
      index.addAll(documents);
      return (query) =>
        index
          .search(query, searchOptions)
          .slice(0, limit)
          .map(({ id }) => id);
    },
  };
}

function stemmed(term: string): string | null {
  const lower = term.toLowerCase();
  return common.has(lower) ? null : stem(lower);
}

/** What the others are compared with. */
export const skillful: Engine = {
  name: 'Skillful',
  index(documents) {
    const index = createSkillIndex(documents.map(skillOf));
    return (query) => index.search(query, { limit }).map(({ skill }) => skill.directory);
  },
};

function hybrid(name: string, embed: Embed, most: number, createRerank?: (all: readonly string[]) => Rerank): Engine {
  return {
    name,
    most,
    async index(documents) {
      const rerank = createRerank?.(documents.map(({ name, description }) => `${name}: ${description}`));
      const index = hybridIndex({ embed, rerank, timeout })(documents.map(skillOf));
      await index.search('embed all');
      return async (query) => (await index.search(query, { limit })).map(({ skill }) => skill.directory);
    },
  };
}

/** Embeds about 40 skills a second: `--without-sentences` leaves it out. */
export const sentences = 'Skillful, hybrid with sentence vectors';

export const engines: readonly Engine[] = [
  skillful,
  hybrid('Skillful, hybrid with word vectors', embedByWords, 2_000),
  hybrid('Skillful, hybrid, re-ranked by words', embedByWords, 2_000, rerankByWords),
  hybrid(sentences, embedBySentences, 2_000),
  { name: 'Skillful, in PostgreSQL (PGlite)', index: (documents) => indexInDatabase(documents), most: 60 },
  {
    name: 'Skillful, in PostgreSQL with vectors (PGlite)',
    index: (documents) => indexInDatabase(documents, embedByWords),
    most: 60,
  },
  miniSearch('minisearch', {}, {}),
  miniSearch('minisearch, name boosted', {}, { boost: { name: 2 } }),
  miniSearch('minisearch, prefix and fuzzy', {}, { prefix: true, fuzzy: 0.2, boost: { name: 2 } }, 20),
  miniSearch('minisearch, stems and stop words', { processTerm: stemmed }, { boost: { name: 2 } }, 2_000),
  {
    // It splits no words at hyphens, and looks up each as a prefix; without its constant `d`, long skills are hardly found.
    name: 'orama, stems and stop words',
    async index(documents) {
      const tokenizer = { stemming: true, language: 'english', stopWords: [...common] };
      const database = create({ schema: { name: 'string', description: 'string' }, components: { tokenizer } });
      const split = (text: string): string => text.replaceAll(/[-_]/gu, ' ');
      await insertMultiple(
        database,
        documents.map(({ id, name, description }) => ({ id, name: split(name), description: split(description) })),
      );
      return async (query) => {
        const relevance = { k: 1.2, b: 0.75, d: 8 };
        const { hits } = await searchOrama(database, { term: split(query), limit, relevance, threshold: 1 });
        return hits.map(({ document }) => String(document['id']));
      };
    },
  },
  {
    name: 'flexsearch, stems and stop words',
    index(documents) {
      const encoder = new FlexSearch.Encoder(FlexSearch.Charset.Default).assign(english);
      const index = new FlexSearch.Index({ tokenize: 'strict', encoder });
      documents.forEach(({ name, description }, at) => {
        index.add(at, `${name} ${description}`);
      });
      return (query) =>
        (index.search(query, { limit, suggest: true }) as readonly number[]).map((at) => documents[at]?.id ?? '');
    },
  },
  {
    name: 'fuse.js',
    most: 5,
    index(documents) {
      const fuse = new Fuse(documents, { keys: ['name', 'description'], ignoreLocation: true });
      return (query) => fuse.search(query.slice(0, 30), { limit }).map(({ item }) => item.id);
    },
  },
  {
    name: 'lunr',
    index(documents) {
      const index = lunr(function configure(this: lunr.Builder) {
        this.ref('id');
        this.field('name');
        this.field('description');
        for (const document of documents) this.add(document);
      });
      return (query) =>
        index
          .query((clauses) => {
            for (const token of lunr.tokenizer(query)) {
              const term = token.toString().replaceAll(/^\W+|\W+$/gu, '');
              if (term !== '') clauses.term(term, {});
            }
          })
          .slice(0, limit)
          .map(({ ref }) => ref);
    },
  },
  {
    name: 'wink-bm25',
    index(documents) {
      const index = wink();
      index.defineConfig({ fldWeights: { name: 2, description: 1 } });
      const { string, tokens } = nlp;
      index.definePrepTasks([
        string.lowerCase,
        string.removeExtraSpaces,
        string.tokenize0,
        tokens.removeWords,
        tokens.stem,
      ]);
      for (const { id, name, description } of documents) index.addDoc({ name, description }, id);
      index.consolidate();
      return (query) => index.search(query, limit).map(([id]: readonly [string]) => id);
    },
  },
  {
    name: 'Mastra BM25, stems and stop words',
    async index(documents) {
      const tokenizer = (text: string): string[] =>
        (text.match(/[a-z0-9]+/giu) ?? []).flatMap((word) => stemmed(word) ?? []);
      const filesystem = new LocalFilesystem({ basePath: tmpdir() });
      const workspace = new Workspace({ filesystem, bm25: { tokenize: { tokenizer } } });
      for (const { id, name, description } of documents) await workspace.index(id, `${name} ${description}`);
      return async (query) => (await workspace.search(query, { topK: limit, mode: 'bm25' })).map(({ id }) => id);
    },
  },
];
