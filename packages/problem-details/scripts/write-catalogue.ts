// Writes src/catalogue/built-in.ts and built-in-codes.ts from the catalogue of the specification; a test compares them.
import { readFileSync, writeFileSync } from 'node:fs';

const specification = new URL('../../../docs/specification/error-catalogue.json', import.meta.url);
const entries = JSON.parse(readFileSync(specification, 'utf8')) as Record<string, string | number | boolean>[];

const note = [
  '// Made by `node packages/problem-details/scripts/write-catalogue.ts` from',
  '// `docs/specification/error-catalogue.json`; a test keeps it so.',
];

/** Formats a value as a TypeScript literal in single quotes where possible. */
function literal(value: string | number | boolean | undefined): string {
  if (typeof value !== 'string') return String(value);
  if (value.includes("'") && !value.includes('"')) return JSON.stringify(value);
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Formats a union type with one member per line. */
const union = (name: string, doc: string, member: string): string[] => [
  `/** ${doc} */`,
  `export type ${name} =`,
  entries.map((entry) => `  | ${literal(entry[member])}`).join('\n') + ';',
];

const codes = [
  ...note,
  '',
  ...union('BuiltInCode', 'The code of an entry of the built-in catalogue (ERR-009).', 'code'),
  '',
  ...union('BuiltInName', 'The `error_name` of an entry of the built-in catalogue (ERR-009).', 'error_name'),
  '',
];

const members = (entry: Record<string, string | number | boolean>): string =>
  Object.entries(entry)
    .map(([member, value]) => {
      const line = `    ${member}: ${literal(value)},`;
      return line.length <= 120 ? line : `    ${member}:\n      ${literal(value)},`;
    })
    .join('\n');

const data = [
  ...note,
  "import type { BuiltInEntry } from './entry.ts';",
  '',
  '/** The built-in catalogue, in the order of codes (ERR-009). */',
  'export const builtInEntries: readonly BuiltInEntry[] = [',
  ...entries.map((entry) => `  {\n${members(entry)}\n  },`),
  '];',
  '',
];

writeFileSync(new URL('../src/catalogue/built-in-codes.ts', import.meta.url), codes.join('\n'));
writeFileSync(new URL('../src/catalogue/built-in.ts', import.meta.url), data.join('\n'));
