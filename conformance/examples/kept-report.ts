/** The reports of the examples, as they are kept: results as JSON, and Markdown for people. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportForms, type Report, type Status } from '@packhouse/conformance';

/** The results that are kept of an example. */
interface KeptReport {
  readonly counts: Readonly<Record<Status, number>>;
  /** Cases that neither pass nor are skipped, with the reason in the code or the documents of the server. */
  readonly others: Readonly<Record<string, { readonly status: Status; readonly why: string }>>;
}

export function keptReport(name: string): KeptReport {
  return JSON.parse(readFileSync(fileOf(name, 'json'), 'utf8')) as KeptReport;
}

/**
 * Writes both forms of a report. Explanations of failures are kept from the earlier file. Returns the ids of those that
 * have none.
 */
export function keepReport(name: string, report: Report): readonly string[] {
  const earlier = existsSync(fileOf(name, 'json')) ? keptReport(name).others : {};
  const masked = maskReport(report);
  const others = masked.cases.flatMap(({ id, status, reason, failure }) => {
    if (status === 'pass' || status === 'skipped') return [];
    const known = earlier[id]?.status === status ? earlier[id].why : '';
    return [[id, { status, why: failure === null ? firstLine(reason ?? '') : known }] as const];
  });
  const kept: KeptReport = { counts: report.counts, others: Object.fromEntries(others) };
  writeFileSync(fileOf(name, 'json'), `${JSON.stringify(kept, null, 2)}\n`);
  const rerun = (id: string): string => `node conformance/examples/write-reports.ts ${name} ${id}`;
  const text = reportForms.markdown(masked, rerun).replace(/^(.*, seed \d+), [\d.]+ s$/m, '$1');
  writeFileSync(fileOf(name, 'md'), text);
  return others.filter(([, { why }]) => why === '').map(([id]) => id);
}

/** Returns the report with the same words in each run: ports, names, folders and times are replaced. */
function maskReport(report: Report): Report {
  const text = JSON.stringify(report)
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
    .replaceAll(/\bct-[0-9a-f]{8}\b/g, 'ct-00000000')
    .replaceAll(/\/tmp\/packhouse-[\w-]+/g, '/tmp/packhouse')
    .replaceAll(/"milliseconds":\d+/g, '"milliseconds":0');
  return JSON.parse(text) as Report;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 200) ?? '';
}

function fileOf(name: string, ending: 'json' | 'md'): string {
  return join(import.meta.dirname, 'reports', `${name}.${ending}`);
}
