#!/usr/bin/env node
// Starts the command. Imports nothing that needs a newer Node, so that an old one prints a sentence and not a stack trace.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 13)) {
  keepCompiled();
  void import('./process.ts').then(({ start }) => start());
} else {
  process.stderr.write(
    `error: skillful needs Node 22.13 or later; this is Node ${process.versions.node}. Get a newer one from https://nodejs.org.\n`,
  );
  process.exitCode = 2;
}

/**
 * Caches compiled code for the next start. Only in the user's own cache, because elsewhere other users could replace it. Deno has no
 * such cache.
 */
function keepCompiled(): void {
  const { XDG_CACHE_HOME: chosen, LOCALAPPDATA: local, HOME: home } = process.env;
  const places = [
    chosen && `${chosen}/skillful`,
    local && `${local}/skillful/Cache`,
    home && `${home}/.cache/skillful`,
  ];
  const cache = places.find((path) => path && /^(?:\/|[a-z]:[\\/])/i.test(path));
  if (cache) process.getBuiltinModule('node:module').enableCompileCache?.(cache);
}
