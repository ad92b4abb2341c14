// Reads what a file imports, exports and declares with a parser, so that comments and strings do not count.

import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/** One module that a file imports. */
export interface SourceImport {
  readonly specifier: string;
  /** The names that a static import takes from the module. */
  readonly names: readonly string[];
  /** True if the statement leaves nothing in the JavaScript. */
  readonly typeOnly: boolean;
  /** Counted from 1. */
  readonly line: number;
}

/** Reads the imports of one TypeScript or JavaScript file: static, dynamic, re-exports and `import('…')` types. */
export function readImports(file: string): readonly SourceImport[] {
  const text = readFileSync(file, 'utf8');
  const parsed = parseSync(file, text);
  if (parsed.errors.length > 0) throw new Error(`${file}: ${parsed.errors[0]?.message}`);
  const imports: SourceImport[] = [];
  const add = (source: { value: unknown; start: number }, typeOnly: boolean): void => {
    const line = text.slice(0, source.start).split('\n').length;
    const statement = parsed.module.staticImports.find(({ moduleRequest }) => moduleRequest.start === source.start);
    const names = statement?.entries.flatMap(({ importName }) => importName.name ?? []) ?? [];
    imports.push({ specifier: String(source.value), names, typeOnly, line });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportNamedDeclaration: (node) => node.source && add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) =>
      add(node.source.type === 'Literal' ? node.source : { value: '(computed)', start: node.start }, false),
    TSImportType: (node) => add(node.source, true),
  }).visit(parsed.program);
  return imports;
}

/** A function of a file. */
export interface SourceFunction {
  readonly name: string;
  /** True if it returns a promise or an asynchronous sequence, perhaps only sometimes. */
  readonly isAsync: boolean;
}

/** Reads the functions that one TypeScript file declares, also inside others. */
export function readFunctions(file: string): readonly SourceFunction[] {
  const text = readFileSync(file, 'utf8');
  const functions: SourceFunction[] = [];
  new Visitor({
    FunctionDeclaration({ id, async, returnType }) {
      const returned = returnType?.typeAnnotation;
      const written = returned === undefined ? '' : text.slice(returned.start, returned.end);
      functions.push({
        name: id?.name ?? '',
        isAsync: async || /^(?:[^(=]*\| )?(?:Promise|AsyncIterable)</u.test(written),
      });
    },
  }).visit(parseSync(file, text).program);
  return functions;
}

/** Reads the names of the exported declarations of one TypeScript file that have no docstring directly before them. */
export function readUndocumented(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const { program } = parseSync(file, text);
  return program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return [];
    if (text.slice(0, node.start).trimEnd().endsWith('*/')) return [];
    return /^export (?:async )?(?:\w+) (\w+)/u.exec(text.slice(node.start))?.[1] ?? '(unknown)';
  });
}

/** Reads every name that a file or its declarations export; `*` for all names of another module. */
export function readExports(file: string): readonly string[] {
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  return module.staticExports.flatMap(({ entries }) => entries.map(({ exportName }) => exportName.name ?? '*'));
}
