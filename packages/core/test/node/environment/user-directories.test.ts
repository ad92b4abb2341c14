import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findUserDirectories } from '../../../src/node/environment/user-directories.ts';

afterEach(() => vi.unstubAllEnvs());

describe('findUserDirectories', () => {
  it.each(['', '.', 'relative', './x'])('takes the home %j from nothing in the working directory', (home) => {
    vi.stubEnv('HOME', home);
    const system = userInfo().homedir;
    expect(findUserDirectories()).toMatchObject({ home: system });
    expect(findUserDirectories({ environment: { XDG_CONFIG_HOME: home } })).toMatchObject({
      home: system,
      config: join(system, '.config'),
    });
    expect(findUserDirectories({ environment: { LOCALAPPDATA: home }, platform: 'win32' })).toMatchObject({
      config: join(system, 'AppData', 'Local'),
    });
    expect(findUserDirectories({ environment: { ProgramFiles: home }, platform: 'win32' })).toMatchObject({
      managed: join('C:\\Program Files', 'ClaudeCode'),
    });
  });

  it('takes the home of Windows on Windows only', () => {
    const environment = { USERPROFILE: '/of-windows' };
    const homes = (['win32', 'linux'] as const).map((platform) => findUserDirectories({ environment, platform }).home);
    expect(homes).toEqual([resolve('/of-windows'), userInfo().homedir]);
  });

  it('takes the variables of Windows first on Windows, whatever the case of their names', () => {
    const [home, profile, local, files] = ['home', 'profile', 'local', 'files'].map((name) => resolve(`/${name}`));
    const environment = { Home: home, UserProfile: profile, LocalAppData: local, PROGRAMFILES: files };
    const found = findUserDirectories({ environment, platform: 'win32' });
    expect(found).toEqual({ home: profile, config: local, managed: join(files ?? '', 'ClaudeCode'), environment });
    expect(findUserDirectories({ environment: { Home: home }, platform: 'win32' }).home).toBe(home);
    const both = { HOME: home, USERPROFILE: profile };
    expect(findUserDirectories({ environment: both, platform: 'linux' }).home).toBe(home);
  });

  it('refuses an empty home', () => {
    expect(() => findUserDirectories({ home: '' })).toThrow(expect.objectContaining({ code: 'options-invalid' }));
  });

  // Only the superuser can become a user without an entry, as in some containers.
  it.runIf(process.getuid?.() === 0)('finds a place where nothing is, for a user without a home', async () => {
    const url = new URL('../../../src/node/environment/user-directories.ts', import.meta.url);
    const program = `const { findUserDirectories } = await import(${JSON.stringify(fileURLToPath(url))});
      process.stdout.write(JSON.stringify(findUserDirectories()));`;
    const flags = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', program];
    const options = { uid: 54_321, gid: 54_321, cwd: '/', env: {} };
    const { stdout } = await promisify(execFile)(process.execPath, flags, options);
    expect(JSON.parse(stdout)).toMatchObject({ home: '/nonexistent', config: '/nonexistent/.config' });
  });
});
