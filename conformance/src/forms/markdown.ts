import { areaName, byArea, byReason } from '../report/areas.ts';
import { failureParts, lastSteps } from '../report/failure-text.ts';
import { statuses, type CaseResult, type Report } from '../report/report.ts';
import { countsText, outcomeText } from '../report/summary.ts';
import { cutLines, oneLine, visibleLines } from '../report/visible.ts';

/** Characters of all failures: a summary of GitHub Actions takes 1 MiB of UTF-8. */
const failuresMax = 250_000;
const partMax = 4000;
const linesMax = 60;

/** Returns a report for summaries of CI services and comments: a table by area, and each failure to open. */
export function markdownReport(report: Report, rerun: (id: string) => string): string {
  const { cases, target, seed, milliseconds, left_behind: leftBehind } = report;
  const used = statuses.filter((status) => report.counts[status] > 0);
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const areas = byArea(cases);
  const failures = cases.filter(({ failure, known }) => failure !== null && known === undefined);
  const texts = failures.map((result) => failureText(result, rerun(result.id)));
  let length = 0;
  const kept = texts.filter((text) => (length += text.length) <= failuresMax);
  return [
    `## Conformance: ${outcomeText(report)}`,
    `${code(target.name)} (${target.dialect}), seed ${seed}, ${(milliseconds / 1000).toFixed(1)} s`,
    [
      row(['area', ...used]),
      row(['---', ...used.map(() => '---:')]),
      ...areas.map(({ name, counts }) => row([escaped(name), ...used.map((status) => counts[status])])),
      row(['**all**', ...used.map((status) => `**${report.counts[status]}**`)]),
    ].join('\n'),
    ...(report.areas.length === 0 ? [] : [report.areas.map(foundLine).join('\n')]),
    ...(failures.length === 0 ? [] : ['### What failed', ...kept]),
    ...(kept.length < texts.length ? [`${texts.length - kept.length} more failures are in the other reports.`] : []),
    ...knownDeviations(cases),
    ...(['unsupported', 'beyond', 'skipped'] as const).flatMap((status) => reasons(status, cases)),
    ...(leftBehind.length === 0 ? [] : ['### Not removed or closed', fenced(leftBehind.join('\n'))]),
    `Requirements: ${countsText(report.requirements)}.`,
    '',
  ].join('\n\n');
}

function foundLine({ area, found, evidence }: Report['areas'][number]): string {
  return `- ${areaName(area)} ${found ? 'found' : 'not found'}: ${code(evidence)}`;
}

function failureText(result: CaseResult, again: string): string {
  const { id, status, explanation, requirements, failure, evidence } = result;
  if (failure === null) return '';
  const parts = [...failureParts(failure), ...(evidence === undefined ? [] : [steps(evidence.steps)])];
  return [
    `<details><summary><b>${status}</b> <code>${escaped(id)}</code> ${escaped(explanation)}</summary>`,
    `${requirements.join(', ')}${failure.where === null ? '' : ` at ${code(failure.where)}`}`,
    fenced(failure.message),
    ...parts.flatMap(([heading, text]) => [`${heading[0]?.toUpperCase()}${heading.slice(1)}:`, fenced(text)]),
    'Run it again:',
    fenced(again, 'sh'),
    '</details>',
  ].join('\n\n');
}

function knownDeviations(cases: readonly CaseResult[]): readonly string[] {
  const its = cases.flatMap(({ id, known }) => (known === undefined ? [] : [`- ${code(id)}: ${escaped(known)}`]));
  return its.length === 0 ? [] : ['### Known deviations', its.join('\n')];
}

function steps(all: Parameters<typeof lastSteps>[0]): readonly [string, string] {
  return ['the last steps', lastSteps(all).map(oneLine).join('\n')];
}

function reasons(status: 'unsupported' | 'beyond' | 'skipped', cases: readonly CaseResult[]): readonly string[] {
  const its = cases.filter((result) => result.status === status);
  if (its.length === 0) return [];
  const lines = byReason(its).map(
    ([reason, group]) => `- ${group.length} × ${code(cutLines(oneLine(reason), 1, 300))}`,
  );
  return [`<details><summary>${its.length} ${status}</summary>`, lines.join('\n'), '</details>'];
}

/** Fences a text with more backticks than it has in a row. */
function fenced(text: string, language = 'text'): string {
  const clean = visibleLines(cutLines(text, linesMax, partMax));
  const longest = Math.max(2, ...[...clean.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${clean}\n${fence}`;
}

/** Returns a text as code in a line. Entities have no meaning between backticks, so it is an element. */
function code(text: string): string {
  return `<code>${escaped(text)}</code>`;
}

/** Escapes a text for Markdown and for HTML in it, as one line. A pipe would end the cell of a table. */
function escaped(text: string): string {
  return oneLine(text).replaceAll(/[&<>"'\\`*_{}[\]()#+.!|~@:-]/g, (character) => `&#${character.charCodeAt(0)};`);
}
