// A file system that fails at a chosen call, to show that no failure is mistaken for a missing file.

import { type FileSystem, nodeFileSystem } from '../../../src/node/disk/file-system.ts';

export interface FaultyFileSystem {
  readonly files: FileSystem;
  /** Calls so far, including failed ones. */
  readonly calls: () => number;
}

/** Wraps the real file system: the calls that `fails` picks, counted from 1, throw this code. */
export function createFaultyFileSystem(errno: string, fails: (call: number) => boolean): FaultyFileSystem {
  let calls = 0;
  function guard<Input extends readonly unknown[], Output>(real: (...input: Input) => Output) {
    return (...input: Input): Output => {
      calls += 1;
      if (fails(calls)) throw Object.assign(new Error(`${errno}: injected, '/host/path'`), { code: errno });
      return real(...input);
    };
  }
  return {
    calls: () => calls,
    files: {
      open: guard(nodeFileSystem.open),
      close: nodeFileSystem.close,
      read: guard(nodeFileSystem.read),
      stat: guard(nodeFileSystem.stat),
      lstat: guard(nodeFileSystem.lstat),
      fstat: guard(nodeFileSystem.fstat),
      lstatExactly: guard(nodeFileSystem.lstatExactly),
      fstatExactly: guard(nodeFileSystem.fstatExactly),
      lstatIfThere: guard(nodeFileSystem.lstatIfThere),
      exists: nodeFileSystem.exists,
      readlink: guard(nodeFileSystem.readlink),
      realpath: guard(nodeFileSystem.realpath),
      openDirectory: guard(nodeFileSystem.openDirectory),
      typeOf: guard(nodeFileSystem.typeOf),
    },
  };
}
