// Keeps the keys of the session, such as tickets and passwords, from a sandbox: namespaces do not separate them.

/** What the kernel calls each architecture, and its number of `add_key`; `request_key` and `keyctl` come next. */
const architectures: readonly (readonly [name: number, addKey: number])[] = [
  [0xc000003e, 248], // x86-64
  [0x40000003, 286], // i386
  [0xc00000b7, 217], // arm64
  [0x40000028, 309], // arm
  [0xc00000f3, 217], // riscv64
  [0xc0000102, 217], // loongarch64
  [0xc0000015, 269], // ppc64le
  [0x80000016, 278], // s390x
];

const [load, and, ifEqual, ifAtLeast, answer] = [0x20, 0x54, 0x15, 0x35, 0x06];
const [number, architecture] = [0, 4];
const allow = 0x7fff0000;
/** As if the kernel had no keys: `ENOSYS`. */
const missing = 0x00050000 + 38;

type Instruction = readonly [code: number, value: number, ifTrue?: number, ifFalse?: number];

/**
 * Creates a program for the kernel's filter of system calls that refuses those for keys, for `--seccomp`.
 *
 * @see https://docs.kernel.org/userspace-api/seccomp_filter.html
 */
export function createKeyringFilter(): Uint8Array {
  const program = architectures.flatMap(([name, addKey]): readonly Instruction[] => [
    [load, architecture],
    [ifEqual, name, 0, 6],
    [load, number],
    // Without the mark of the calls of x32.
    [and, 0xbfffffff],
    [ifAtLeast, addKey, 0, 2],
    [ifAtLeast, addKey + 3, 1, 0],
    [answer, missing],
    [answer, allow],
  ]);
  return encode([...program, [answer, allow]]);
}

/** In the byte order of this machine. */
function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8);
  for (const [index, [code, value, ifTrue = 0, ifFalse = 0]] of program.entries()) {
    new Uint16Array(bytes.buffer, index * 8, 1)[0] = code;
    bytes.set([ifTrue, ifFalse], index * 8 + 2);
    new Uint32Array(bytes.buffer, index * 8 + 4, 1)[0] = value;
  }
  return bytes;
}
