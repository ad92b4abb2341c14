// The part of an adapter's contract about reports: the application gets events and spans, which say what they belong to.

import {
  createToolkit,
  loadCatalog,
  memorySource,
  type OnSkillEvent,
  type ReportedEvent,
  type SkillTracer,
} from '@skillful/core';
import { describe, expect, it } from 'vitest';
import type { AdapterHarness } from './adapter-harness.ts';
import { converse } from './converse.ts';
import { callOf } from './script.ts';

const source = memorySource({
  'mail/SKILL.md': '---\nname: mail\ndescription: Writes mails.\narguments: who\n---\nWrite to $who.\n',
  'report/SKILL.md': '---\nname: report\ndescription: Writes reports.\n---\nWrite.\n',
});

/** Declares the tests of events and spans. */
export function testReports(harness: AdapterHarness): void {
  describe(`${harness.framework} adapter`, () => {
    it('reports each event once, with the tenant of the call', async () => {
      const events: ReportedEvent[] = [];
      const toolkit = createToolkit(await loadCatalog([source]), { onEvent: (event) => events.push(event) });
      await converse(harness, toolkit, '/mail bob', [
        callOf('activate_skill', { name: 'report' }),
        callOf('activate_skill', { name: 'report' }),
      ]);
      const told = events.flatMap((event) =>
        'skill' in event && event.type !== 'cut' ? [[event.type, event.skill]] : [],
      );
      expect(told).toEqual([
        ['activated', 'mail'],
        ['activated', 'report'],
        ['deduplicated', 'report'],
      ]);
      expect(new Set(events.map(({ about }) => about?.['tenant']))).toEqual(new Set(['acme']));
      const calls = events.flatMap(({ call }) => call ?? []);
      expect(new Set(calls).size).toBe(2);
    });

    it('reports each of two skills that one answer activates', async () => {
      const begun: string[] = [];
      const onEvent: OnSkillEvent = (event) => void (event.type === 'activated' && begun.push(event.skill));
      const calls = ['report', 'mail'].map((name) => ({ tool: 'activate_skill', input: { name } }));
      await converse(harness, createToolkit(await loadCatalog([source]), { onEvent }), 'Write.', [{ calls }]);
      expect(begun).toEqual(['report', 'mail']);
    });

    it('opens one span for each call of the model and of a skill tool, with the tenant of the call', async () => {
      const spans: { name: string; readonly attributes: Record<string, unknown> }[] = [];
      const tracer: SkillTracer = {
        startActiveSpan(name, { attributes }, run) {
          const span = { name, attributes };
          spans.push(span);
          const updateName = (better: string) => Object.assign(span, { name: better });
          const setAttributes = (more: object) => Object.assign(attributes, more);
          return run({ updateName, setAttributes, addEvent() {}, setStatus() {}, recordException() {}, end() {} });
        },
      };
      await converse(harness, createToolkit(await loadCatalog([source]), { tracer }), '/mail bob', [
        callOf('activate_skill', { name: 'report' }),
      ]);
      expect(spans.map(({ name }) => name)).toEqual([
        'prepare_skills',
        'execute_tool activate_skill report',
        'prepare_skills',
      ]);
      expect(spans.map(({ attributes }) => attributes['skillful.tenant'])).toEqual(['acme', 'acme', 'acme']);
      expect(JSON.stringify(spans)).not.toContain('bob');
    });
  });
}
