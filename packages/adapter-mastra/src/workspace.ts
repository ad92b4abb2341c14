// Gives the core the skills in a Mastra workspace, and its sandbox for scripts.

import type { AgentConfig } from '@mastra/core/agent';
import type { Mastra } from '@mastra/core/mastra';
import type { ProcessInputStepArgs } from '@mastra/core/processors';
import { RequestContext } from '@mastra/core/request-context';
import type { WorkspaceSandbox, WorkspaceSkills } from '@mastra/core/workspace';
import type { ScriptSandbox, SkillReader } from '@skillful/core';
import type { SkillThread } from './thread.ts';

/** The workspace of an agent, in the form of its configuration. */
export type AgentWorkspace = NonNullable<AgentConfig['workspace']>;

/** The workspace of an agent that has none of its own. */
export const sharedWorkspace: AgentWorkspace = ({ mastra }) => mastra?.getWorkspace();

/**
 * Returns a reader for all skills that Mastra lists in a workspace, for `readerSource` of the core. Mastra decides which links to
 * follow.
 */
export function workspaceSkills(
  workspace: AgentWorkspace,
  requestContext: SkillThread['requestContext'] = new RequestContext(),
): SkillReader {
  const open = async () => {
    const skills = await openSkills(workspace, requestContext);
    if (skills === undefined) throw new Error('The workspace has no `skills`.');
    return skills;
  };
  let isListed = false;
  return {
    async list() {
      const skills = await open();
      await skills.maybeRefresh({ requestContext });
      // By itself, Mastra looks for new skills only every 30 seconds, which is too late for a source that is loaded again.
      if (isListed) await skills.refresh();
      isListed = true;
      return (await skills.list()).map(({ path }) => path);
    },
    async listFiles(directory) {
      const found = await (await open()).get(directory);
      const kinds = ['references', 'scripts', 'assets'] as const;
      return kinds.flatMap((kind) => found?.[kind].map((path) => `${kind}/${path}`) ?? []);
    },
    // Despite its name, `getAsset` reads any file of a skill unchanged.
    read: async (directory, path) => (await (await open()).getAsset(directory, path)) ?? undefined,
  };
}

/** Returns the tools of a step without Mastra's tool for skills, and the names of the skills that it could read. */
export async function replaceOwn(
  workspace: AgentWorkspace | undefined,
  { tools = {}, requestContext = new RequestContext() }: ProcessInputStepArgs,
  mastra: Mastra | undefined,
): Promise<{ readonly tools: Record<string, unknown>; readonly replaced?: readonly string[] }> {
  const skills = await openSkills(workspace, requestContext, mastra);
  if (skills === undefined) return { tools };
  const { skill_read: _, ...others } = tools;
  return { tools: others, replaced: (await skills.list()).map(({ name }) => name) };
}

async function openSkills(
  workspace: AgentWorkspace | undefined,
  requestContext: RequestContext,
  mastra?: Mastra,
): Promise<WorkspaceSkills | undefined> {
  const opened =
    typeof workspace === 'function' ? await workspace({ requestContext, ...(mastra && { mastra }) }) : workspace;
  const skills = opened?.skills;
  return skills?.getScoped?.({ requestContext }) ?? skills;
}

/** Converts the sandbox of a workspace for `sandboxRunner` of the core. Some sandboxes of Mastra cannot run commands. */
export function scriptSandbox(sandbox: Pick<WorkspaceSandbox, 'executeCommand'>): ScriptSandbox {
  return {
    async run({ command, abortSignal, onOutput }) {
      const result = await sandbox.executeCommand?.(command, [], {
        ...(abortSignal && { abortSignal }),
        ...(onOutput && {
          onStdout: (text: string) => onOutput({ stream: 'output', text }),
          onStderr: (text: string) => onOutput({ stream: 'errors', text }),
        }),
      });
      return result ?? { exitCode: 127, stdout: '', stderr: 'This sandbox runs no commands.' };
    },
  };
}
