// Notifications: running processes learn of a publication without asking.

import { cacheSource, loadCatalog, watchCatalog } from '@skillful/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { postgresSource, publishSkills, rollBackSkills } from '../../src/index.ts';
import { catalogOf, namesOf, newTenant, type Open, skill } from './fixture.ts';

export function testChanges(open: Open): void {
  it.each([
    ['the source itself', false],
    ['a cache over it', true],
  ])('brings a publication to %s at once, and never asks by itself', async (_, isCached) => {
    const { database } = await open();
    const [tenant, other] = [newTenant(), newTenant()];
    await publishSkills(database, await catalogOf(skill('a', 'Does a.')), { tenant });
    const own = postgresSource(database, { tenant });
    const list = vi.fn(own.list);
    const source = { ...own, list };
    const told: string[] = [];
    const watch = await watchCatalog([isCached ? cacheSource(source) : source], {
      interval: 1,
      onChange: (_catalog, { added, changed, removed }) => {
        told.push([added, changed, removed].map((skills) => skills.map(({ name }) => name).join()).join('/'));
      },
    });
    onTestFinished(watch.close);
    // The first one is the catalog, the second one follows the beginning of the watch.
    await vi.waitFor(() => expect(list).toHaveBeenCalledTimes(2));
    await publishSkills(database, await catalogOf(skill('x', 'Of another.')), { tenant: other });
    await publishSkills(database, await catalogOf(skill('a', 'Does a well.'), skill('b', 'Does b.')), { tenant });
    await vi.waitFor(() => expect(told).toEqual(['b/a/']), { timeout: 5000 });
    await rollBackSkills(database, 1, { tenant });
    await vi.waitFor(() => expect(told).toEqual(['b/a/', '/a/b']), { timeout: 5000 });
    expect([namesOf(watch.catalog()), list.mock.calls.length]).toEqual([['a'], 4]);
    watch.close();
    await publishSkills(database, await catalogOf(skill('c', 'Does c.')), { tenant });
    expect(namesOf(await loadCatalog([own]))).toEqual(['c']);
    expect(list).toHaveBeenCalledTimes(4);
  });

  it('reads only the heads of skills that have changed', async () => {
    const { database, tenant } = await open();
    const source = postgresSource(database, { tenant });
    await publishSkills(database, await catalogOf(skill('a', 'Does a.'), skill('b', 'Does b.')), { tenant });
    const { entries } = await source.list();
    await publishSkills(database, await catalogOf(skill('a', 'Does a.'), skill('b', 'Differs.')), { tenant });
    const known = new Map(entries.map((entry) => [entry.directory, entry]));
    const again = await source.list({ known });
    expect(again.entries.map(({ directory, head }) => [directory, head.length > 0])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  it('has nothing to watch if the version is fixed', async () => {
    const { database } = await open();
    expect(postgresSource(database, { tenant: newTenant(), version: 1 }).watch).toBeUndefined();
  });
}
