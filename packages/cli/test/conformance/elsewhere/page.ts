import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cases } from '@packhouse/conformance';
import type { CoveredDocument, Elsewhere } from './elsewhere.ts';

const root = new URL('../../../../../', import.meta.url);

/** A row of the specification. */
export interface Row {
  readonly id: string;
  readonly level: 'MUST' | 'SHOULD' | 'MAY';
}

/** Returns the rows of a document, without those that were withdrawn. */
export function rowsOf({ document, areas }: Pick<CoveredDocument, 'document' | 'areas'>): readonly Row[] {
  const text = readFileSync(fileURLToPath(new URL(document, root)), 'utf8');
  const ids = new RegExp(`^\\| ((?:${areas.join('|')})-\\d{3}) \\| (?!WITHDRAWN)(?:(MUST|SHOULD|MAY) \\|)?`, 'gm');
  return [...text.matchAll(ids)].map(([, id, level]) => ({ id: String(id), level: (level ?? 'MUST') as Row['level'] }));
}

/** Returns the page that says which requirements cases assert, and why not the others. */
export function coveragePage(documents: readonly CoveredDocument[]): string {
  const inCases = new Set(cases.flatMap(({ requirements }) => requirements));
  const counts = documents.map((one) => {
    const rows = rowsOf(one);
    const must = rows.filter(({ level }) => level === 'MUST');
    const asserted = must.filter(({ id }) => inCases.has(id)).length;
    const others = rows.filter(({ level, id }) => level !== 'MUST' && inCases.has(id)).length;
    return [nameOf(one), must.length, asserted, must.length - asserted, rows.length - must.length, others];
  });
  const sections = documents.map((one) => {
    const whole = one.elsewhere.filter(({ inPart }) => inPart !== true);
    const parts = one.elsewhere.filter(({ inPart }) => inPart === true);
    return [
      `## ${nameOf(one)}`,
      '',
      ...(whole.length === 0 ? ['Cases assert every row.', ''] : tableOf('shown by', whole, rowsOf(one))),
      ...(parts.length === 0 ? [] : ['In part:', '', ...tableOf('the rest is shown by', parts, rowsOf(one))]),
    ];
  });
  return [
    '# What the conformance suite asserts',
    '',
    `Made by \`node packages/cli/scripts/write-coverage.ts\` from the specification and the cases. \`packhouse conformance list --only GIT-091\` names the cases of a requirement. A black box cannot observe the requirements below; the tests beside them show these.`,
    '',
    '| document | MUST | asserted by cases | not observable | SHOULD and MAY | asserted by cases |',
    '| --- | --- | --- | --- | --- | --- |',
    ...counts.map((row) => `| ${row.join(' | ')} |`),
    '',
    ...sections.flat(),
  ].join('\n');
}

function nameOf({ document }: CoveredDocument): string {
  return document.replace(/^.*\//, '');
}

function tableOf(head: string, entries: readonly Elsewhere[], rows: readonly Row[]): readonly string[] {
  return [
    `| requirement | level | no case asserts it, since | ${head} |`,
    '| --- | --- | --- | --- |',
    ...entries.map(({ id, why, file }) => {
      const level = rows.find((row) => row.id === id)?.level ?? '';
      return `| ${id} | ${level} | ${why} | [${file.replace(/^.*\//, '')}](../${file}) |`;
    }),
    '',
  ];
}
