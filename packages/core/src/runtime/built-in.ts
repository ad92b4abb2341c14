// Finds what Node, Bun and Deno have built in, without an import, because other runtimes could not resolve it.

/** What a runtime may have globally. */
export interface RuntimeGlobals {
  readonly process?: Partial<NodeJS.Process>;
}

/**
 * Returns a function of a built-in module, or `undefined` if the runtime has none. The edge runtime of Next.js throws if one only
 * looks at such a property of `process`.
 */
export function findBuiltIn({ process }: RuntimeGlobals, module: 'node:crypto' | 'node:timers', name: string): unknown {
  try {
    return Object(process?.getBuiltinModule?.(module))[name];
  } catch {
    return undefined;
  }
}
