// The contract of an adapter in a server: conversations of several tenants, held at the same time, share nothing.

import {
  type CatalogInput,
  createToolkit,
  definePolicy,
  filterSource,
  loadCatalog,
  memorySource,
  type SkillContext,
} from '@skillful/core';
import { describe, expect, it } from 'vitest';
import type { AdapterHarness } from './adapter-harness.ts';
import { applicationPrompt, converse } from './converse.ts';
import { callOf } from './script.ts';

const source = memorySource({
  'csv-report/SKILL.md': '---\nname: csv-report\ndescription: Turns a CSV into a report.\n---\nRead it.\n',
  'csv-report/format.md': 'One table a page.',
  'release-notes/SKILL.md': '---\nname: release-notes\ndescription: Writes release notes.\n---\nList changes.\n',
  'release-notes/log.md': 'Dark mode.',
  'release-notes/style.md': 'Be brief.',
});

/** Declares the tests of conversations that have different catalogs and policies. */
export function testTenants(harness: AdapterHarness): void {
  describe(`${harness.framework} tenants`, () => {
    it('are kept apart in simultaneous conversations, each with its own catalog and policy', async () => {
      const only = (kept: string) => loadCatalog([filterSource(source, ({ name }) => name === kept)]);
      const catalogs = new Map([
        ['north', await only('csv-report')],
        ['south', await only('release-notes')],
        ['empty', await loadCatalog([])],
      ]);
      const byTenant: CatalogInput = ({ request }: SkillContext) => {
        const catalog = catalogs.get(tenantOf(request) ?? '');
        if (catalog === undefined) throw new Error('The request did not reach the catalog function.');
        return catalog;
      };
      const [open, closed] = [definePolicy(), definePolicy({ rules: [{ path: 'log.md', effect: 'deny' }] })];
      const policy = ({ request }: SkillContext) => (tenantOf(request) === 'south' ? closed : open);
      const toolkit = createToolkit(byTenant, { policy });
      const script = [
        callOf('activate_skill', { name: 'csv-report' }),
        callOf('read_skill_resource', { skill: 'csv-report', path: 'format.md' }),
        callOf('read_skill_resource', { skill: 'release-notes', path: 'log.md' }),
      ];
      const [north, south, empty] = await Promise.all([
        converse(harness, toolkit, 'Make a report.', script, { request: { tenant: 'north' } }),
        converse(harness, toolkit, 'Make a report.', script, { request: { tenant: 'south' } }),
        converse(harness, toolkit, 'Make a report.', [], { request: { tenant: 'empty' } }),
      ]);
      expect(north.calls.at(-1)?.results).toEqual([
        expect.stringContaining('<skill_content name="csv-report"'),
        expect.stringContaining('One table a page.'),
        'No skill `release-notes`. Available: `csv-report`.',
      ]);
      expect(south.calls.at(-1)?.results).toEqual([
        'No skill `csv-report`. Available: `release-notes`.',
        'No skill `csv-report`. Available: `release-notes`.',
        'There is no file `log.md` in the skill.',
      ]);
      expect(north.calls[0]?.system).not.toContain('release-notes');
      expect(south.calls[0]?.system).not.toContain('csv-report');
      const messages = [{ role: 'user', text: 'Make a report.' }];
      expect(empty.calls).toEqual([{ system: applicationPrompt, tools: [], messages, results: [], files: [] }]);
    });
  });
}

/** Reads the tenant from a request, which frameworks carry as a record or as a map with `get`. */
function tenantOf(request: unknown): string | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  if ('get' in request && typeof request.get === 'function') return String(request.get('tenant'));
  return 'tenant' in request ? String(request.tenant) : undefined;
}
