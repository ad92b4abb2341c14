// Describes what this machine offers to skills: its environment variables and the programs in its `PATH`.

import type { SkillEnvironment } from '../../skill/environment.ts';
import { findProgram, programDirectories } from './programs.ts';
import { findVariable } from './variables.ts';

export interface LocalEnvironmentOptions {
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Names of the tools of the agent, such as `Bash`.
   * @default required tools are not checked
   */
  readonly tools?: readonly string[] | undefined;
}

const windowsExtensions = ['.exe', '.cmd', '.bat', '.com'];

/** Creates the environment of this machine, to check the requirements of skills. An empty variable counts as missing. */
export function localEnvironment({ environment = process.env, tools }: LocalEnvironmentOptions = {}): SkillEnvironment {
  const { platform } = process;
  const extensions = platform === 'win32' ? windowsExtensions : [''];
  return {
    hasVariable: (name) => (findVariable(environment, name) ?? '') !== '',
    hasProgram: (name) => findProgram(name, programDirectories(environment), platform, extensions) !== undefined,
    platform,
    hasTool: tools && ((name) => tools.includes(name)),
  };
}
