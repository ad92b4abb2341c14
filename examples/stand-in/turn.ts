// What a model is given before it speaks, and what it may say: the same for every framework.

/** A tool as it reached the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the tool's input. */
  readonly inputSchema: unknown;
}

/** The outcome of a tool call since the user last spoke. */
export interface ToolOutcome {
  readonly tool: string;
  readonly input: unknown;
  readonly text: string;
}

/** Everything that a model knows when it is its turn. */
export interface Turn {
  readonly system: string;
  readonly tools: readonly OfferedTool[];
  /** What the user said last. */
  readonly request: string;
  readonly results: readonly ToolOutcome[];
}

/** A call of one tool, or words for the user. */
export type Reply =
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string };

/** Functions that are called with every turn that reaches the stand-in. */
export const listeners: Set<(turn: Turn) => void> = new Set();

/** Shows a turn to the listeners. */
export function announce(turn: Turn): void {
  for (const listener of listeners) listener(turn);
}
