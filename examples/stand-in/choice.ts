// Decides what plays the model: a provider whose API key is in the environment, or otherwise the stand-in.

/** A provider by the name that every framework has for it, and one of its models. */
export interface ModelChoice {
  readonly provider: 'openai' | 'anthropic';
  readonly model: string;
}

/** Chooses the provider whose API key is set; `EXAMPLE_MODEL` names another of its models. */
export function chooseModel(environment: NodeJS.ProcessEnv = process.env): ModelChoice | undefined {
  const { OPENAI_API_KEY, ANTHROPIC_API_KEY, EXAMPLE_MODEL } = environment;
  if (OPENAI_API_KEY) return { provider: 'openai', model: EXAMPLE_MODEL || 'gpt-5.4-mini' };
  if (ANTHROPIC_API_KEY) return { provider: 'anthropic', model: EXAMPLE_MODEL || 'claude-haiku-5-5' };
  return undefined;
}
