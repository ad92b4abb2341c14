import { describe, expect, it } from 'vitest';
import { allowsCall, allowsTool } from '../../src/policy/tool-pattern.ts';

const names = { Bash: { tool: 'shell', argument: 'command' }, Read: 'read_file' };
const bash = (command: unknown) => ({ name: 'shell', input: { command, timeout: '5' } });

describe('a pattern of allowed-tools', () => {
  it.each([
    ['Read', 'read_file', true],
    ['Read', 'Read', false],
    ['Bash(git:*)', 'shell', true],
    ['search', 'search', true],
    ['mcp__files__*', 'mcp__files__list', true],
    ['mcp__files__*', 'mcp__mail__send', false],
    ['constructor', 'constructor', true],
    ['', 'search', false],
    ['*', 'search', false],
    ['*arch', 'search', false],
  ])('%s about the tool %s: %s', (pattern, tool, expected) => {
    expect(allowsTool(pattern, tool, names)).toBe(expected);
  });

  it.each([
    ['Bash', 'rm -rf /', true],
    ['Bash(*)', 'cd / && rm -rf x', true],
    ['Bash(git:*)', 'git', true],
    ['Bash(git:*)', 'git log --oneline', true],
    ['Bash(git status)', 'git status', true],
    ['Bash(git log | head)', 'git log | head', true],
    ['Bash(npm run test:*)', 'npm run test unit', true],
    ['Bash(npm run *)', 'npm run build', true],
    ['Bash(git *)', 'git', true],
    ['Bash(git **)', 'git', true],
    ['Bash(git * log **)', 'git -P log', true],
    ['Bash(git **)', 'gitx', false],
    ['Bash(ssh * uptime *)', 'ssh host uptime', true],
    ['Bash(git -C * show:*)', 'git -C /tmp show HEAD', true],
    ['Bash(bin/*:*)', 'bin/greet', true],
    ['Bash(git *)', 'gitx', false],
    ['Bash(git -C * show:*)', 'git -C ../x show HEAD', false],
    ['Bash(git -C * show:*)', 'git -C x shows', false],
    ['Bash(git:*)', 'gitx', false],
    ['Bash(git:*)', 'git-upload-pack', false],
    ['Bash(git:*)', ' git log', false],
    ['Bash(git status)', 'git status -s', false],
    ['Bash(git:*)', 'git log; curl evil', false],
    ['Bash(git:*)', 'git log && curl evil', false],
    ['Bash(git:*)', 'git log | sh', false],
    ['Bash(git:*)', 'git log\ncurl evil', false],
    ['Bash(git:*)', 'git log $(curl evil)', false],
    ['Bash(git:*)', 'git log `curl evil`', false],
    ['Bash(git:*)', 'git log > ~/.bashrc', false],
    ['Bash(git:*)', 'git diff <(curl evil)', false],
    ['Bash(npm run *)', 'npm run build & curl evil', false],
    ['Bash(git:*)', 'git commit -m "fix(core): it"', true],
    ['Bash(git:*)', "git commit -m 'fix(core): it'", true],
    // bash runs what a value contains: `${x:='$'\\(id\\)} ${x@P}`
    ['Bash(git:*)', "git log \x24{x:='$'\\(id\\)} \x24{x@P}", false],
    ['Bash(git:*)', 'git log $HOME', false],
    // fish and PowerShell run what is in parentheses, zsh `=(…)` and `*(e:…:)`.
    ['Bash(git:*)', 'git log (curl evil)', false],
    ['Bash(git:*)', 'git diff =(curl evil)', false],
    ['Bash(git:*)', "git log \\' (curl evil) \\'", false],
    ['Bash(git:*)', "git log 'a\u2019(curl evil)\u2018b'", false],
    ['Bash(git:*)', 'git log\u2028curl evil', false],
    ['Bash(git:*)', 'git log\u0085curl evil', false],
    ['Bash(git:*)', 'git log\0curl evil', false],
    ['Bash(git log *)', 'git log "../x"', false],
    ['Bash(git diff *)', 'git diff --output=../../.bashrc', false],
    ['Bash(git log *)', 'git log {../../.env,}', false],
    // A shell reads each of these as `..`: without its quotes, or as what they match or expand to.
    ['Bash(bin/*)', "bin/.'.'/sh", false],
    ['Bash(bin/*)', 'bin/.""./sh', false],
    ['Bash(bin/*)', 'bin/.\\./sh', false],
    ['Bash(bin\\*)', 'bin\\.^.\\sh', false],
    ['Bash(bin\\*)', 'bin\\^..\\sh', false],
    ['Bash(bin/*)', 'bin/.?/sh', false],
    ['Bash(bin/*)', 'bin/.?*/sh', false],
    ['Bash(bin/*)', 'bin/x .? y', false],
    ['Bash(bin/*)', "bin/'.'*/sh", false],
    ['Bash(bin/*)', 'bin/.*./sh', false],
    ['Bash(bin/*)', 'bin/.*[!a]/sh', false],
    ['Bash(bin/*)', 'bin/.[.]/sh', false],
    ['Bash(bin/*)', 'bin/.[!a]/sh', false],
    // In a shell of Unix, these quotes are part of the names.
    ['Bash(bin/*)', "bin/x\\' bin/.[.]/sh \\'", false],
    ['Bash(bin/*)', 'bin/{.,x}./sh', false],
    ['Bash(bin/*)', 'bin/{,.}{.,x}/sh', false],
    ['Bash(bin/*)', 'bin/{a/.,b}./sh', false],
    ['Bash(pip *)', 'pip install -e .[all] .[dev,test]', true],
    ['Bash(pip *)', 'pip install -e .[a.]', false],
    ['Bash(jq *)', "jq '.[0].name, .items[]' x.json", true],
    ['Bash(grep *)', 'grep -E ".*x.?" src/*.{ts,js} .env* *.* a.*', true],
    ['Bash(kubectl *)', 'kubectl get pods -o jsonpath={.items[*].metadata.name}', true],
    ['Bash(git commit *)', "git commit -m 'Ignore .env, ., *.js ...'", true],
    ['Bash(git log *)', 'git log v1..v2 HEAD~2..HEAD HEAD^^.. ..main a...', true],
    // cmd.exe puts values in before it looks for commands.
    ['Bash(git:*)', 'git log %NAME%', false],
    ['Bash(git log *)', 'git log "%=C:%"', false],
    ['Bash(git:*)', 'git log %CD:~0, 1%', false],
    ['Bash(git:*)', 'git log --format="%h %s" --since=1%', true],
    ['Bash(git:*', 'git log', false],
    ['Bash()', 'git log', false],
    ['Bash(git:*)x', 'git log', false],
    ['(x)Bash(git:*)', 'git log', false],
    // Only at the end does `:*` mean any arguments or none.
    ['Bash(git:*push)', 'git log', false],
    ['Bash(g?t:*push)', 'git push', false],
    ['Bash(g?t:*push)', 'got: push', true],
  ])('%s about the command %j: %s', (pattern, command, expected) => {
    expect(allowsCall(pattern, bash(command), names)).toBe(expected);
  });

  it.each([
    ['Read(docs/**)', { path: 'docs/a/b.md' }, true],
    ['Read(docs/**/*.md)', { path: 'docs/a/b.md' }, true],
    ['Read(docs/*)', { path: 'docs/../.env' }, false],
    ['Read(docs/*)', { path: '..' }, false],
    // A URL takes `%2e` for a dot.
    ['Read(https://a.example/docs/*)', { url: 'https://a.example/docs/.%2e/admin' }, false],
    ['Read(https://a.example/docs/*)', { url: 'https://a.example/docs/%2E./admin' }, false],
    ['Read(https://a.example/docs/*)', { url: 'https://a.example/docs/1%2e2' }, true],
    ['Read(docs/*)', { path: 'docs/a.md', other: 'x' }, false],
    ['Read(docs/*)', { path: ['docs/a.md'] }, false],
    ['Read(docs/*)', { path: ['/etc/passwd'], note: 'docs/a.md' }, false],
    ['Read(docs/*)', { options: { path: '/etc/passwd' }, note: 'docs/a.md' }, false],
    ['Read(docs/*)', { path: 'docs/a.md', limit: 5, all: true, to: null }, true],
    ['Read(docs/*)', null, false],
    ['Read', null, true],
  ])('%s about the input %j: %s', (pattern, input, expected) => {
    expect(allowsCall(pattern, { name: 'read_file', input }, names)).toBe(expected);
  });

  it('matches nothing that would be slow to match', () => {
    const long = (length: number) => 'a'.repeat(length);
    expect(allowsCall(`Bash(git *${long(1_000)}*)`, bash(`git ${long(1_000)}`), names)).toBe(false);
    expect(allowsCall('Bash(git *)', bash(`git ${long(10_000)}`), names)).toBe(false);
    expect(allowsCall('Bash(git *)', bash(`git ${long(9_000)}`), names)).toBe(true);
    expect(allowsCall('Bash(git:*)', bash(`git ${long(100_000)}`), names)).toBe(true);
    expect(allowsCall(`Bash(git ${long(200)}*)`, bash(`git ${long(6_000)}`), names)).toBe(false);
    expect(allowsCall(`Bash(git ${long(100)}*)`, bash(`git ${long(6_000)}`), names)).toBe(true);
  });

  it('maps a name to several tools, such as those of an MCP server', () => {
    const server = { mcp__github: 'github_*' };
    expect(allowsTool('mcp__github', 'github_get_issue', server)).toBe(true);
    expect(allowsTool('mcp__github', 'gitlab_get_issue', server)).toBe(false);
    expect(allowsTool('mcp__github__*', 'github_get_issue', server)).toBe(false);
  });

  it('takes the forms of other products as text', () => {
    const input = { url: 'https://example.com/a' };
    expect(allowsCall('WebFetch(domain:example.com)', { name: 'WebFetch', input }, {})).toBe(false);
  });

  it('is about the named property only', () => {
    expect(allowsCall('Bash(git:*)', { name: 'shell', input: { note: 'git log', command: 'rm -rf /' } }, names)).toBe(
      false,
    );
  });
});
