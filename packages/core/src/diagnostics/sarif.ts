// Diagnostics as a SARIF 2.1.0 log, for code scanning services.

import type { Diagnostic } from './diagnostic.ts';
import { documentOf, explainDiagnostic } from './document.ts';

/** The part of SARIF 2.1.0 that Skillful writes. @see https://docs.oasis-open.org/sarif/sarif/v2.1.0/ */
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly version?: string;
        readonly informationUri: string;
        readonly rules: readonly SarifRule[];
      };
    };
    readonly columnKind: 'utf16CodeUnits';
    readonly results: readonly SarifResult[];
  }[];
}

interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly helpUri: string;
}

/** A problem, with the rule that describes it and its place. */
export interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: 'error' | 'warning' | 'note';
  readonly message: { readonly text: string };
  readonly locations: readonly [
    {
      readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string };
        readonly region?: { readonly startLine: number; readonly startColumn?: number };
      };
    },
  ];
}

export interface ToSarifOptions {
  /** Version of the tool that writes the log. */
  readonly version?: string | undefined;
}

/**
 * Creates a SARIF log of diagnostics. Their locations should be relative to the root of the repository, as scanning
 * services expect.
 */
export function toSarif(diagnostics: readonly Diagnostic[], options: ToSarifOptions = {}): SarifLog {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const driver = {
    name: 'skillful',
    ...(options.version === undefined ? {} : { version: options.version }),
    informationUri: 'https://github.com/skillful/skillful',
    rules: codes.map(toRule),
  };
  const results = diagnostics.map((diagnostic) => toResult(diagnostic, codes.indexOf(diagnostic.code)));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, columnKind: 'utf16CodeUnits', results }],
  };
}

function toRule(code: Diagnostic['code']): SarifRule {
  const { cause, fix } = documentOf(code);
  return {
    id: code,
    shortDescription: { text: code.replaceAll('-', ' ') },
    fullDescription: { text: cause },
    help: { text: fix, markdown: explainDiagnostic(code) ?? fix },
    helpUri: `https://github.com/skillful/skillful/blob/main/docs/diagnostics.md#${code}`,
  };
}

function toResult(diagnostic: Diagnostic, ruleIndex: number): SarifResult {
  const { code, severity, message, hint, location, line, column } = diagnostic;
  const region =
    line === undefined ? undefined : { startLine: line, ...(column === undefined ? {} : { startColumn: column }) };
  const physicalLocation = { artifactLocation: { uri: toUri(location) }, ...(region === undefined ? {} : { region }) };
  return {
    ruleId: code,
    ruleIndex,
    level: severity === 'info' ? 'note' : severity,
    message: { text: withoutLinks(hint === undefined ? message : `${message} ${hint}`) },
    locations: [{ physicalLocation }],
  };
}

/** Breaks up links, because SARIF viewers render `[text](target)` as a link even in plain text. */
function withoutLinks(text: string): string {
  return text.replace(/\](?=[([])/g, '] ').replace(/<(?=[a-z][a-z0-9+.-]*:)/gi, '< ');
}

/** Writes a path as a URI reference: with slashes, and everything else escaped. */
function toUri(path: string): string {
  // A URI cannot contain half a surrogate pair.
  const whole = path.replaceAll('\\', '/').replaceAll(/\p{Cs}/gu, '\ufffd');
  const uri = whole.split('/').map(encodeURIComponent).join('/');
  // A path on a share of Windows begins with its server.
  if (uri.startsWith('//')) return `file:${uri}`;
  return /^[A-Za-z]%3A\//.test(uri) ? `file:///${uri.replace('%3A', ':')}` : uri;
}
