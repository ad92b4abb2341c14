// The stand-in decides by what it receives, and throws if something is missing.

import { describe, expect, test } from 'vitest';
import { respond } from '../stand-in/respond.ts';
import type { Turn } from '../stand-in/turn.ts';

const catalog = [
  '## Skills\n\nBefore a task that a skill covers, call activate_skill and follow it.\n',
  '- tea: Brews green & black tea. Use when someone is thirsty.',
  '- bicycle-repair: Repairs punctures and brakes of bicycles.',
].join('\n');

const tools: Turn['tools'] = [
  { name: 'weather', description: 'Tells the weather of a place.', inputSchema: schema('place') },
  { name: 'activate_skill', description: "Loads a skill's instructions.", inputSchema: schema('name') },
  { name: 'run_skill_script', description: 'Runs a script of a skill.', inputSchema: schema('skill', 'path') },
  { name: 'read_skill_resource', description: 'Reads a file of a skill.', inputSchema: schema('skill', 'path') },
];

const activation = [
  '<skill_content name="bicycle-repair" digest="01234567">',
  '# Repairing a bicycle',
  '',
  '1. Turn it over. The saddle is soft.',
  '2. Find what is broken.',
  '',
  '- For tyres and punctures, read `references/tyres.md`.',
  '- For brakes that squeal, read `references/brakes.md`.',
  '',
  'Bytes and files in /skills/bicycle-repair:',
  '20 references/brakes.md',
  '20 references/tyres.md',
  '</skill_content>',
].join('\n');

const brakes = [
  '<skill_resource skill="bicycle-repair" path="references/brakes.md">',
  '# Brakes\n\n- Clean the rim.\n- Turn the pads.',
  '</skill_resource>',
].join('\n');

const activated = { tool: 'activate_skill', input: { name: 'bicycle-repair' }, text: activation };
const read = {
  tool: 'read_skill_resource',
  input: { skill: 'bicycle-repair', path: 'references/brakes.md' },
  text: brakes,
};

function schema(...required: string[]): object {
  return { type: 'object', properties: Object.fromEntries(required.map((key) => [key, { type: 'string' }])), required };
}

function turn(changes: Partial<Turn> = {}): Turn {
  return {
    system: `You are kind.\n\n${catalog}`,
    tools,
    request: 'My bicycle has a squealing brake',
    results: [],
    ...changes,
  };
}

describe('the way of a request', () => {
  test('activates the skill whose words fit the request', () => {
    expect(respond(turn())).toEqual({ tool: 'activate_skill', input: { name: 'bicycle-repair' } });
  });

  test('activates another skill for another request', () => {
    const request = 'Which tea is good for me?';
    expect(respond(turn({ request }))).toEqual({ tool: 'activate_skill', input: { name: 'tea' } });
  });

  test('takes a rare word for more than a common one', () => {
    const entries = ['- a: Checks prices.', '- b: Checks prices.', '- c: Explains tariffs.'];
    const system = `## Skills\n\nCall activate_skill.\n\n${entries.join('\n')}`;
    const request = 'Check the tariff, the tariff only';
    expect(respond(turn({ system, request }))).toEqual({ tool: 'activate_skill', input: { name: 'c' } });
  });

  test('says so when no skill fits', () => {
    expect(respond(turn({ request: 'What would you do about it?' }))).toEqual({ text: 'I have no skill for that.' });
  });

  test('calls the activation tool by whatever name it has', () => {
    const renamed = tools.map((tool) => (tool.name === 'activate_skill' ? { ...tool, name: 'use_skill' } : tool));
    expect(respond(turn({ tools: renamed }))).toEqual({ tool: 'use_skill', input: { name: 'bicycle-repair' } });
  });

  test('reads the file that the instructions name for this request', () => {
    expect(respond(turn({ results: [activated] }))).toEqual({
      tool: 'read_skill_resource',
      input: { skill: 'bicycle-repair', path: 'references/brakes.md' },
    });
  });

  test('reads the first file of the instructions when none fits better', () => {
    expect(respond(turn({ request: 'Repair my bicycle', results: [activated] }))).toEqual({
      tool: 'read_skill_resource',
      input: { skill: 'bicycle-repair', path: 'references/tyres.md' },
    });
  });

  test('answers with what the instructions and the file say', () => {
    expect(respond(turn({ results: [activated, read] }))).toEqual({
      text: [
        'I follow the skill bicycle-repair. “Repairing a bicycle” says:',
        '1. Turn it over.',
        '2. Find what is broken.',
        '',
        'references/brakes.md, “Brakes” says:',
        '1. Clean the rim.',
        '2. Turn the pads.',
      ].join('\n'),
    });
  });

  test('answers at once when the instructions name no file', () => {
    const text = activation
      .split('\n')
      .filter((line) => !line.startsWith('- For'))
      .join('\n');
    expect(respond(turn({ results: [{ ...activated, text }] }))).toEqual({
      text: 'I follow the skill bicycle-repair. “Repairing a bicycle” says:\n1. Turn it over.\n2. Find what is broken.',
    });
  });
});

describe('other agents and people', () => {
  const helper = {
    name: 'analyse',
    description: 'Asks the analyst about a CSV file.',
    inputSchema: { type: 'object', required: ['task'] },
  };
  const request = 'What is in this CSV file?';

  test('hands a request that no skill covers to a tool that takes it as a task, and repeats its answer', () => {
    const given = turn({ request, tools: [...tools, helper] });
    expect(respond(given)).toEqual({ tool: 'analyse', input: { task: request } });
    const results = [{ tool: 'analyse', input: { task: request }, text: 'Numbers.' }];
    expect(respond({ ...given, results })).toEqual({ text: 'Numbers.' });
    expect(respond({ ...given, request: 'Who was the first president?' })).toEqual({
      text: 'I have no skill for that.',
    });
  });

  test.each(['{"type":"execution-denied"}', 'Tool call was not approved by the user', 'The user said no.'])(
    'goes on without a skill that a person refused: %s',
    (text) => {
      expect(respond(turn({ results: [{ ...activated, text }] }))).toEqual({ text: 'I go on without the skill.' });
    },
  );
});

describe('what is missing or broken', () => {
  test('fails without a catalog in the system prompt', () => {
    expect(() => respond(turn({ system: 'You are kind.' }))).toThrow(
      'The catalog of skills is not in the system prompt.',
    );
  });

  test('fails with the catalog in the system prompt twice', () => {
    expect(() => respond(turn({ system: `${catalog}\n${catalog}` }))).toThrow(
      'The catalog of skills is in the system prompt 2 times.',
    );
  });

  test('fails without the activation tool', () => {
    expect(() => respond(turn({ tools: tools.slice(0, 1) }))).toThrow('No tool takes name. The tools are: weather.');
  });

  test('fails without the resource tool', () => {
    expect(() => respond(turn({ tools: tools.slice(0, 3) }))).toThrow(
      'No tool takes path and skill. The tools are: weather, activate_skill, run_skill_script.',
    );
  });

  test('fails when the activation fails', () => {
    const results = [{ ...activated, text: 'No skill `bicycle-repair`.' }];
    expect(() => respond(turn({ results }))).toThrow('Activating bicycle-repair failed: No skill `bicycle-repair`.');
  });

  test('fails when the instructions name a file that is not there', () => {
    const text = activation
      .split('\n')
      .filter((line) => line !== '20 references/brakes.md')
      .join('\n');
    expect(() => respond(turn({ results: [{ ...activated, text }] }))).toThrow(
      'bicycle-repair points to references/brakes.md, which is not among its files.',
    );
  });

  test('fails when the file cannot be read', () => {
    const results = [activated, { ...read, text: 'No file `references/brakes.md`.' }];
    expect(() => respond(turn({ results }))).toThrow(
      'Reading references/brakes.md failed: No file `references/brakes.md`.',
    );
  });
});
