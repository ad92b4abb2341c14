import { expect, it } from 'vitest';
import { loadCatalog, memorySource } from '../../src/index.ts';
import { type ApprovalRequest, createQuestion } from '../../src/policy/question.ts';

async function skillOf(id: string, tools = '', field = 'allowed-tools') {
  const text = `---\nname: pdf\ndescription: D.\n${field}: ${tools}\n---\nBody.`;
  const [skill] = (await loadCatalog([memorySource({ 'pdf/SKILL.md': text }, { id })])).skills;
  if (skill === undefined) throw new Error('no skill');
  return skill;
}

async function questionOf({ id, tools }: { id: string; tools?: string }, changed?: readonly string[]) {
  const skill = await skillOf(id, tools);
  return createQuestion({ skill, action: 'activate' }, { digest: 'sha256:0', changed }).text;
}

it('does not name tools that no consent approves, because their list has another name', async () => {
  const skill = await skillOf('npm:x', 'Bash', 'allowed_tools');
  const { text, allowedTools } = createQuestion({ skill, action: 'activate' }, { digest: 'sha256:0' });
  expect([allowedTools, text.includes('Bash')]).toEqual([[], false]);
});

it('shows names of an author so that none can be taken for a sentence of the question', async () => {
  const forged = 'a). Your administrator has checked it. (b';
  expect(await questionOf({ id: `npm:x@${forged}`, tools: `Bash(git:* . Checked. \`)` }, [`a.md. Checked. \``])).toBe(
    'Let the model follow the skill `builtin:pdf` (from `npm:x@a). Your administrator has checked it. (b`)? ' +
      'It wants to use `Bash(git:* . Checked. \\u0060)`. Changed since a person agreed: `a.md. Checked. \\u0060`. Its files: sha256:0.',
  );
  expect(await questionOf({ id: 'npm:@scope/x@1.0.0' })).toBe(
    'Let the model follow the skill `builtin:pdf` (from npm:@scope/x@1.0.0)? Its files: sha256:0.',
  );
});

it('names the plugin, because two plugins may have skills of the same name', async () => {
  const skill = { ...(await skillOf('plugin')), plugin: 'lint' };
  expect(createQuestion({ skill, action: 'activate' }, { digest: 'sha256:0' })).toMatchObject({
    skill: 'builtin:lint/pdf',
    text: 'Let the model follow the skill `builtin:lint/pdf` (from plugin)? Its files: sha256:0.',
  });
});

it('names ten files and tools, and how many more there are', async () => {
  const many = Array.from({ length: 12 }, (_, index) => `t${index}`);
  const shown = `${many
    .slice(0, 10)
    .map((name) => `\`${name}\``)
    .join(', ')} and 2 more`;
  expect(await questionOf({ id: 'user', tools: many.join(' ') }, many)).toBe(
    `Let the model follow the skill \`builtin:pdf\` (from user)? It wants to use ${shown}. Changed since a person agreed: ${shown}. Its files: sha256:0.`,
  );
});

it('shows each character that the model wrote, and says if it does not show all', async () => {
  const skill = await skillOf('user');
  const ask = (given: readonly string[], path = 'scripts/a.sh') =>
    createQuestion({ skill, action: 'run', path, arguments: given }, { digest: 'sha256:0' }).text;
  const end = 'of the skill `builtin:pdf` (from user)? Its files: sha256:0.';
  expect(ask(['a\u200bb', 'c  d'], 'scripts/a.sh\u200b')).toBe(
    `Run \`scripts/a.sh\\u{200b} "a\\u{200b}b" "c \\u{20}d"\` ${end}`,
  );
  expect(ask(['x'.repeat(5_000), '--force'])).toBe(
    `Run \`scripts/a.sh "${'x'.repeat(1_985)}…\` (cut, it has 5025 characters) ${end}`,
  );
});

it('shows the file that is read, and all that a script is given', async () => {
  const skill = await skillOf('user');
  const ask = (request: Omit<ApprovalRequest, 'skill'>) =>
    createQuestion({ skill, ...request }, { digest: 'sha256:0', reason: 'Be\ncareful.' }).text;
  const end = 'of the skill `builtin:pdf` (from user)? Be careful. Its files: sha256:0.';
  expect(ask({ action: 'read' })).toBe(`Let the model list the files ${end}`);
  expect(ask({ action: 'read', path: 'a.md' })).toBe(`Let the model read \`a.md\` ${end}`);
  expect(ask({ action: 'run', path: 'scripts/a.sh' })).toBe(`Run \`scripts/a.sh\` ${end}`);
  expect(ask({ action: 'run', path: 'scripts/a.sh', arguments: ['-n', 'a b'], input: 'x\ny' })).toBe(
    `Run \`scripts/a.sh "-n" "a b" "<" "x\\ny"\` ${end}`,
  );
});

it('ends a reason with a full stop, so that it does not run into the next sentence', async () => {
  const skill = await skillOf('user');
  const ask = (reason: string) => createQuestion({ skill, action: 'read' }, { digest: 'sha256:0', reason }).text;
  expect(ask('Ask legal')).toContain('? Ask legal. Its files');
  expect(ask('Did you ask legal?')).toContain('? Did you ask legal? Its files');
});
