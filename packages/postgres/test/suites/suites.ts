// Everything that is the same on PGlite and on a real server.

import { loadCatalog, memorySource } from '@skillful/core';
import { testSource } from '@skillful/testing';
import { describe } from 'vitest';
import { postgresSource, publishSkills } from '../../src/index.ts';
import { testChanges } from './changes.ts';
import type { Open } from './fixture.ts';
import { testHostileRows } from './hostile.ts';
import { testPublishing } from './publishing.ts';
import { testSearch } from './searching.ts';
import { testTenants } from './tenants.ts';

export function testDatabase(name: string, open: Open): void {
  testSource({
    name: `postgresSource on ${name}`,
    async create(files) {
      const { database, tenant } = await open();
      await publishSkills(database, await loadCatalog([memorySource(files)]), { tenant });
      return postgresSource(database, { tenant });
    },
  });
  describe('publishing', () => testPublishing(open));
  describe('tenants', () => testTenants(open));
  describe('hostile rows', () => testHostileRows(open));
  describe('changes', () => testChanges(open));
  describe('search', () => testSearch(open));
}
