// Loads the catalog that the options of a command select, and what the user decided about skills.

import { type Catalog, loadCatalog, type Skill, type SkillSource } from '@skillful/core';
import { loadSettings } from '@skillful/core/node';
import type { CommandLine } from '../command-line.ts';
import { withProgress } from '../terminal/progress.ts';
import type { SkillOptions } from './options.ts';
import { chooseSources } from './sources.ts';

/** A catalog with the decisions of the user. */
export interface LoadedSkills {
  readonly catalog: Catalog;
  readonly sources: readonly SkillSource[];
  /** Checks whether a skill is switched on. */
  readonly isEnabled: (skill: Skill) => boolean;
}

/** Loads the catalog that the options select. */
export function loadSkills(options: SkillOptions, io: CommandLine): Promise<LoadedSkills> {
  return withProgress('Looking for skills', io, load(options, io));
}

async function load(options: SkillOptions, io: CommandLine): Promise<LoadedSkills> {
  const settings = await loadSettings({ environment: io.environment });
  const { sources, diagnostics } = await chooseSources(options, settings, io);
  const catalog = await loadCatalog(sources);
  return {
    catalog: { ...catalog, diagnostics: [...settings.diagnostics, ...diagnostics, ...catalog.diagnostics] },
    sources,
    isEnabled: settings.isEnabled,
  };
}
