// Denies a sandbox what namespaces cannot: the keys of the session, such as tickets and passwords, new user namespaces, and
// sockets that are outside of network namespaces, such as those from a virtual machine to its host.

interface Architecture {
  /** The kernel's id of the architecture. */
  readonly name: number;
  /** Numbers of system calls. Those of `request_key` and `keyctl` follow `add_key`. */
  readonly addKey: number;
  readonly unshare: number;
  readonly clone: number;
  readonly socket: number;
  /** An older way to call `socket`, with its arguments in memory, where a filter cannot see them. */
  readonly socketCall?: number;
  /** Offsets of the flags of `unshare` and `clone` in the data of a call, if they are not 16. */
  readonly flags?: readonly [unshare: number, clone: number];
}

const architectures: Readonly<Record<string, Architecture>> = {
  x64: { name: 0xc000003e, addKey: 248, unshare: 272, clone: 56, socket: 41 },
  i386: { name: 0x40000003, addKey: 286, unshare: 310, clone: 120, socket: 359, socketCall: 102 },
  arm64: { name: 0xc00000b7, addKey: 217, unshare: 97, clone: 220, socket: 198 },
  arm: { name: 0x40000028, addKey: 309, unshare: 337, clone: 120, socket: 281 },
  riscv64: { name: 0xc00000f3, addKey: 217, unshare: 97, clone: 220, socket: 198 },
  loongarch64: { name: 0xc0000102, addKey: 217, unshare: 97, clone: 220, socket: 198 },
  ppc64le: { name: 0xc0000015, addKey: 269, unshare: 282, clone: 120, socket: 326, socketCall: 102 },
  // Big-endian, with the first two arguments of `clone` swapped.
  s390x: { name: 0x80000016, addKey: 278, unshare: 303, clone: 120, socket: 359, socketCall: 102, flags: [20, 28] },
};

/** The same number on all architectures. A filter cannot see its flags, which are in memory, so programs must use `clone`. */
const clone3 = 435;
/** The same number on all architectures. What it does later, such as opening a socket, is invisible to a filter. */
const ioUringSetup = 425;
const newUserNamespace = 0x1000_0000;

const [load, and, ifEqual, ifAtLeast, ifAbove, ifAny, answer] = [0x20, 0x54, 0x15, 0x35, 0x25, 0x45, 0x06];
const [number, architecture] = [0, 4];
const allowed = 0x7fff0000;
/** `EPERM`; `ENOSYS`, as if the kernel lacked the call; and `EAFNOSUPPORT`, as if it lacked this kind of socket. */
const [forbidden, missing, unknownFamily] = [0x00050000 + 1, 0x00050000 + 38, 0x00050000 + 97];

type Instruction = readonly [code: number, value: number, ifTrue?: number, ifFalse?: number];

/**
 * Creates a program for the kernel's filter of system calls, for `--seccomp`. It denies new user namespaces, because in one a
 * script would have all capabilities, and could attack much more of the kernel.
 *
 * @see https://docs.kernel.org/userspace-api/seccomp_filter.html
 */
export function createSystemCallFilter(): Uint8Array {
  const program = Object.values(architectures).flatMap((each) => {
    const { name, addKey, unshare, clone, socket, socketCall, flags = [16, 16] } = each;
    return [
      ...refuse(name, addKey, addKey + 2),
      ...refuse(name, clone3, clone3),
      ...refuse(name, ioUringSetup, ioUringSetup),
      ...(socketCall === undefined ? [] : refuse(name, socketCall, socketCall)),
      ...refuse(name, unshare, unshare, refuseUserNamespace(flags[0])),
      ...refuse(name, clone, clone, refuseUserNamespace(flags[1])),
      ...refuse(name, socket, socket, refuseFamilies(flags[0])),
    ];
  });
  return encode([...program, [answer, allowed]]);
}

/** Refuses calls by their numbers, with the given result. */
function refuse(
  name: number,
  first: number,
  last: number,
  end: readonly Instruction[] = [[answer, missing]],
): readonly Instruction[] {
  return [
    [load, architecture],
    [ifEqual, name, 0, end.length + 4],
    [load, number],
    // Ignores the bit that marks calls of x32.
    [and, 0xbfffffff],
    [ifAtLeast, first, 0, end.length + 1],
    [ifAbove, last, end.length, 0],
    ...end,
  ];
}

/** Refuses a call whose flags request a user namespace. */
function refuseUserNamespace(flags: number): readonly Instruction[] {
  return [
    [load, flags],
    [ifAny, newUserNamespace, 0, 1],
    [answer, forbidden],
  ];
}

/** Refuses all sockets except `AF_UNIX`, `AF_INET`, `AF_INET6` and `AF_NETLINK`, which a network namespace isolates. */
function refuseFamilies(family: number): readonly Instruction[] {
  return [
    [load, family],
    [ifEqual, 1, 4, 0],
    [ifEqual, 2, 3, 0],
    [ifEqual, 10, 2, 0],
    [ifEqual, 16, 1, 0],
    [answer, unknownFamily],
  ];
}

/** Encodes a program in the byte order of this machine. */
function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8);
  for (const [index, [code, value, ifTrue = 0, ifFalse = 0]] of program.entries()) {
    new Uint16Array(bytes.buffer, index * 8, 1)[0] = code;
    bytes.set([ifTrue, ifFalse], index * 8 + 2);
    new Uint32Array(bytes.buffer, index * 8 + 4, 1)[0] = value;
  }
  return bytes;
}
