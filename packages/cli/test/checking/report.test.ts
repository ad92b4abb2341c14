// Checks the output for code scanning services against the schema of SARIF.

import { chmod } from 'node:fs/promises';
import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import draft04 from 'ajv-draft-04';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { describe, expect, it } from 'vitest';
import { makePlace, skillText, writeTree } from '../command.ts';

const isSarif = new draft04.default({
  strict: false,
  unicodeRegExp: false,
  allErrors: true,
  formats: fullFormats,
}).compile(schema);

/** The violations of the schema in a log. */
function faultsOf(log: unknown): readonly string[] {
  return isSarif(log) ? [] : (isSarif.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('validate --format sarif', () => {
  it('prints a valid log if skills are broken in many ways', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, {
      's/Upper Case/SKILL.md': skillText('Upper Case'),
      's/colon/SKILL.md': '---\nname: colon\ndescription: Reads: PDFs\n---\n',
      's/none/SKILL.md': 'No frontmatter.\n',
      's/utf16/SKILL.md': Buffer.from(`\ufeff${skillText('utf16')}`, 'utf16le'),
      's/case/skill.md': skillText('case'),
      's/#?%ü/SKILL.md': '---\nname: "a\\u0000b"\ndescription: |\n  <b>\n---\n',
      's/gone': { link: 'nowhere' },
    });
    const { code, stdout } = await skillful('validate', 's', 'missing', '--format', 'sarif');
    const log = JSON.parse(stdout);
    expect(code).toBe(2);
    expect(faultsOf(log)).toEqual([]);
    expect(new Set(log.runs[0].results.map((result: { ruleId: string }) => result.ruleId)).size).toBeGreaterThan(6);
  });

  it('prints a valid log if everything is fine', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'pdf/SKILL.md': skillText('pdf') });
    const { code, stdout } = await skillful('validate', 'pdf', '--format', 'sarif');
    const log = JSON.parse(stdout);
    expect({ code, faults: faultsOf(log), results: log.runs[0].results }).toEqual({ code: 0, faults: [], results: [] });
  });

  it('has a location for problems of the working directory itself', async () => {
    const { work, skillful } = await makePlace();
    await writeTree(work, { 'pdf/SKILL.md': skillText('pdf') });
    await chmod(work, 0o777);
    const { stdout } = await skillful('validate', '.', '--format', 'sarif');
    const [result] = JSON.parse(stdout).runs[0].results;
    expect([result.ruleId, result.locations[0].physicalLocation]).toEqual([
      'root-unsafe',
      { artifactLocation: { uri: '.' } },
    ]);
  });

  it('would fail with a line that counts from 0 or an unknown level', () => {
    const location = { physicalLocation: { artifactLocation: { uri: 'a b' }, region: { startLine: 0 } } };
    const result = { ruleId: 'x', level: 'info', message: { text: 'x' }, locations: [location] };
    const runs = [{ tool: { driver: { name: 'x' } }, results: [result] }];
    expect(faultsOf({ version: '2.1.0', runs })).toEqual([
      '/runs/0/results/0/level must be equal to one of the allowed values',
      '/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri must match format "uri-reference"',
      '/runs/0/results/0/locations/0/physicalLocation/region/startLine must be >= 1',
    ]);
  });
});
