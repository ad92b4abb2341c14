// Stores permanent consent in a person's settings: below `trust.skills`, by the key of the question.

import { nameKey } from '../../catalog/names.ts';
import { type ConsentStore, createConsentStore } from '../../policy/consent.ts';
import { recordOf } from '../../runtime/record.ts';
import { loadSettings, type SettingsOptions, updateSettings } from './settings.ts';
import { consentsIn } from './trusted.ts';

/**
 * Creates a store of consents for an application on a person's own machine, for `consent: { store, remember: true }`. Permanent
 * consent is stored in their settings, and `skillful trust --list` shows it. Questions live as long as the process.
 */
export function settingsConsents(options: SettingsOptions = {}): ConsentStore {
  const questions = createConsentStore();
  return {
    get: async (key) => questions.get(key) ?? (await loadSettings(options)).trust.consents[key],
    async set(key, record) {
      if (record.state !== 'agreed') return questions.set(key, record);
      return updateSettings(options, (stored) => {
        const trust = recordOf(stored.trust);
        stored.trust = { ...trust, skills: { ...recordOf(trust.skills), [key]: record } };
      });
    },
    delete: (key) => questions.delete(key),
  };
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
