// Stores permanent consent in a person's settings: below `trust.skills`, by the key of the question.

import { nameKey } from '../../catalog/names.ts';
import { type ConsentStore, createConsentStore } from '../../policy/consent.ts';
import { recordOf } from '../../runtime/record.ts';
import { SkillError } from '../../skill/error.ts';
import { loadSettings, type SettingsOptions, updateSettings } from './settings.ts';
import { consentsIn } from './trusted.ts';

/** Characters of the permanent answers that are kept: a thousand of skills with few files. The oldest are dropped first. */
const maxKept = 1024 * 1024;

/**
 * Creates a store of consents for an application on a person's own machine, for `consent: { store, remember: true }`. Permanent
 * consent is stored in their settings, and `skillful trust --list` shows it; of more than 1 MiB, the newest is kept. Questions live
 * as long as the process, so keep the store as long. While the settings cannot be read, the store fails.
 */
export function settingsConsents(options: SettingsOptions = {}): ConsentStore {
  const questions = createConsentStore();
  return {
    async get(key) {
      const question = questions.get(key);
      if (question !== undefined) return question;
      const { trust, diagnostics } = await loadSettings(options);
      // Without consents, what a person agreed to would count as withdrawn for good.
      const [problem] = diagnostics;
      if (problem !== undefined) throw new SkillError('settings-invalid', problem.message);
      return trust.consents[key];
    },
    async set(key, record) {
      if (record.state !== 'agreed') return questions.set(key, record);
      return updateSettings(options, (stored) => {
        const trust = recordOf(stored.trust);
        const all = Object.entries({ ...recordOf(trust.skills), [key]: record });
        stored.trust = { ...trust, skills: Object.fromEntries(newestOf(all)) };
      });
    },
    delete: (key) => questions.delete(key),
  };
}

/** Returns the newest records that fit. */
function newestOf(records: readonly (readonly [key: string, record: unknown])[]): typeof records {
  let room = maxKept;
  const timeOf = (record: unknown): number => Number(recordOf(record)['at'] ?? 0);
  const newest = records.toSorted(([, a], [, b]) => timeOf(b) - timeOf(a));
  return newest.filter(([, record]) => {
    room -= JSON.stringify(record).length;
    return room > 0;
  });
}

/** Returns the keys of the names by which a person may call a skill: with or without its scope, and with or without its plugin. */
function keysOf(id: string): readonly string[] {
  const scope = id.slice(0, id.indexOf(':') + 1);
  const name = id.slice(scope.length);
  const own = name.slice(name.lastIndexOf('/') + 1);
  return [id, name, own, `${scope}${own}`].map(nameKey);
}

/**
 * Withdraws the permanent consent to a skill, by its name in upper or lower case, with or without its scope and its plugin. Returns
 * how many answers were withdrawn.
 *
 * @throws {SkillError} `settings-locked`, `settings-invalid`, `write-failed`
 */
export async function withdrawConsents(skill: string, options: SettingsOptions = {}): Promise<number> {
  let withdrawn = 0;
  await updateSettings(options, (stored) => {
    const entries = Object.entries(consentsIn(stored));
    const kept = entries.filter(([, { skill: id }]) => !keysOf(id).includes(nameKey(skill)));
    withdrawn = entries.length - kept.length;
    stored.trust = { ...recordOf(stored.trust), skills: Object.fromEntries(kept) };
  });
  return withdrawn;
}
