// What the core takes from a Mastra workspace: the skills in it, and its sandbox for scripts.

import type { AgentConfig } from '@mastra/core/agent';
import type { Mastra } from '@mastra/core/mastra';
import type { ProcessInputStepArgs } from '@mastra/core/processors';
import { RequestContext } from '@mastra/core/request-context';
import type { WorkspaceSandbox, WorkspaceSkills } from '@mastra/core/workspace';
import type { ScriptSandbox, SkillReader } from '@skillful/core';

/** The workspace of an agent, as its configuration takes it. */
export type AgentWorkspace = NonNullable<AgentConfig['workspace']>;

/**
 * Returns a workspace that the processor opens as its agent does: Mastra makes itself known to the agent's own call, which comes
 * first. An agent without a workspace has the one of its Mastra.
 */
export function shareWorkspace(workspace: AgentWorkspace = ({ mastra }) => mastra?.getWorkspace()): AgentWorkspace {
  if (typeof workspace !== 'function') return workspace;
  let known: { readonly mastra?: Mastra } = {};
  return ({ mastra, requestContext }) => {
    if (mastra !== undefined) known = { mastra };
    return workspace({ ...known, requestContext });
  };
}

/** Returns the skills of a workspace for `readerSource` of the core: all that Mastra would list. It decides which links to follow. */
export function workspaceSkills(
  workspace: AgentWorkspace,
  requestContext: RequestContext = new RequestContext(),
): SkillReader {
  const open = async () => {
    const skills = await openSkills(workspace, requestContext);
    if (skills === undefined) throw new Error('The workspace has no `skills`.');
    return skills;
  };
  return {
    async list() {
      const skills = await open();
      await skills.maybeRefresh({ requestContext });
      return (await skills.list()).map(({ path }) => path);
    },
    async listFiles(directory) {
      const found = await (await open()).get(directory);
      const kinds = ['references', 'scripts', 'assets'] as const;
      return kinds.flatMap((kind) => found?.[kind].map((path) => `${kind}/${path}`) ?? []);
    },
    // Whatever its name says, it reads any file of the skill as it is.
    read: async (directory, path) => (await (await open()).getAsset(directory, path)) ?? undefined,
  };
}

/** Returns the tools of a step without the one of Mastra's that reads skills, and the names of the skills that it was for. */
export async function replaceOwn(
  workspace: AgentWorkspace | undefined,
  { tools = {}, requestContext = new RequestContext() }: ProcessInputStepArgs,
): Promise<{ readonly tools: Record<string, unknown>; readonly replaced?: readonly string[] }> {
  const skills = await openSkills(workspace, requestContext);
  if (skills === undefined) return { tools };
  const { skill_read: _, ...others } = tools;
  // Skills that cannot be listed are a problem of their source, which says so.
  const found = await skills.list().catch(() => []);
  return { tools: others, replaced: found.map(({ name }) => name) };
}

async function openSkills(
  workspace: AgentWorkspace | undefined,
  requestContext: RequestContext,
): Promise<WorkspaceSkills | undefined> {
  const opened = typeof workspace === 'function' ? await workspace({ requestContext }) : workspace;
  const skills = opened?.skills;
  return skills?.getScoped?.({ requestContext }) ?? skills;
}

/** Returns the sandbox of a workspace as one for `sandboxRunner` of the core. Some sandboxes of Mastra run no commands. */
export function scriptSandbox(sandbox: Pick<WorkspaceSandbox, 'executeCommand'>): ScriptSandbox {
  return {
    async run(command, { signal, onOutput }) {
      const result = await sandbox.executeCommand?.(command, [], {
        ...(signal !== undefined && { abortSignal: signal }),
        ...(onOutput !== undefined && {
          onStdout: (text: string) => onOutput({ stream: 'output', text }),
          onStderr: (text: string) => onOutput({ stream: 'errors', text }),
        }),
      });
      return result ?? { exitCode: 127, stdout: '', stderr: 'This sandbox runs no commands.' };
    },
  };
}
