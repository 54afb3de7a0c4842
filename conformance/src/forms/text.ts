import { plain, table, type Screen, type Style } from '@packhouse/command';
import { areaName, byArea, byReason } from '../report/areas.ts';
import { failureParts, lastSteps } from '../report/failure-text.ts';
import { statuses, type CaseResult, type Report, type Status } from '../report/report.ts';
import { countsText, outcomeText, unexpected } from '../report/summary.ts';
import { cutLines, oneLine, visibleLines } from '../report/visible.ts';

/** Lines and characters of one value before it is cut. */
const linesShown = 40;
const charactersShown = 8000;
/** Ids that are listed below one reason. */
const idsShown = 12;

const pipe: Screen = { style: plain, columns: undefined };

/** Returns one line of progress. */
export function resultLine({ status, id, milliseconds, reason }: CaseResult): string {
  const why = reason === null ? '' : `: ${reason}`;
  return oneLine(`${status.padEnd(11)} ${id} (${milliseconds} ms)${why}`);
}

/** Returns a report for people. `rerun` returns the command line that runs one case again. */
export function reportText(report: Report, rerun: (id: string) => string, screen: Screen = pipe): string {
  const { style } = screen;
  const { cases, target, seed, prefix, milliseconds, interrupted, requirements } = report;
  const failures = cases.filter(({ failure, known }) => failure !== null && known === undefined);
  const account = target.account === '' ? '' : `, account ${target.account}`;
  const parts = [
    ...failures.map((result) => failureText(result, rerun(result.id), style)),
    ...(['pass', 'beyond', 'unsupported', 'skipped'] as const).map((status) => reasonsText(status, cases, style)),
    report.left_behind.length === 0
      ? ''
      : `${style('bold', 'Not removed or closed')}\n${report.left_behind.map((text) => `${indented(text, 2)}\n`).join('')}`,
    foundText(report, style),
    areasText(report, screen),
    [
      style('bold', style(colourOf(report), outcomeText(report))),
      oneLine(`${target.name} (${target.dialect}${account})`),
      `cases         ${countsText(cases)}`,
      `requirements  ${countsText(requirements)}`,
      `seed ${seed}, names began with ${prefix}, ${(milliseconds / 1000).toFixed(1)} s${interrupted ? ', stopped before the end' : ''}`,
      '',
    ].join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function colourOf(report: Report): 'red' | 'green' | 'bold' {
  return unexpected(report) > 0 ? 'red' : report.counts.pass > 0 ? 'green' : 'bold';
}

function failureText(result: CaseResult, again: string, style: Style): string {
  const { status, id, requirements, explanation, failure, seed, evidence } = result;
  if (failure === null) return '';
  const { message, where } = failure;
  const part = (name: string, value: string): string[] => [`  ${style('bold', name)}`, indented(value, 4)];
  const steps = evidence === undefined ? [] : lastSteps(evidence.steps).map(oneLine);
  return [
    `${style('red', status === 'fail' ? 'FAIL' : 'ERROR')} ${style('bold', oneLine(id))}`,
    indented(explanation, 2),
    `  ${requirements.join(', ')}${where === null ? '' : ` (${oneLine(where)})`}`,
    '',
    indented(message, 4),
    ...failureParts(failure).flatMap(([name, value]) => part(name, value)),
    ...(steps.length === 0 ? [] : part('the last steps', steps.join('\n'))),
    '',
    `  seed of the case ${seed}; again: ${style('cyan', oneLine(again))}`,
    '',
  ].join('\n');
}

/** Formats the cases of a status, grouped by reason. Passing cases appear only if they have a reason. */
function reasonsText(status: Status, cases: readonly CaseResult[], style: Style): string {
  const its = cases.filter((one) => one.status === status && (status !== 'pass' || one.reason !== null));
  if (its.length === 0) return '';
  const groups = byReason(its).map(([reason, group]) => {
    const more = group.length > idsShown ? [`... and ${group.length - idsShown} more`] : [];
    const ids = [...group.slice(0, idsShown).map(({ id }) => id), ...more].join('\n');
    // What an unsupported feature was asked for is its evidence.
    const steps = status === 'unsupported' ? lastSteps(group[0]?.evidence?.steps ?? []).slice(-1) : [];
    return [`  ${oneLine(reason)}\n`, ...steps.map((step) => `    (${oneLine(step)})\n`), `${indented(ids, 4)}\n`].join(
      '',
    );
  });
  return `${style('bold', status)}\n${groups.join('')}`;
}

/** Says of each area how the run found it, or that it is not there. */
function foundText({ areas }: Report, style: Style): string {
  const lines = areas.map(({ area, found, evidence, elsewhere }) => {
    const where = elsewhere === undefined ? '' : `, at ${elsewhere}`;
    return oneLine(`  ${areaName(area)} ${found ? 'found' : 'not tested'}: ${evidence}${where}`);
  });
  return lines.length === 0 ? '' : `${style('bold', 'areas')}\n${lines.join('\n')}\n`;
}

function areasText({ cases, counts }: Report, screen: Screen): string {
  const areas = byArea(cases);
  const used = statuses.filter((status) => counts[status] > 0);
  if (areas.length < 2) return '';
  const rows = areas.map((area) => [oneLine(area.name), ...used.map((status) => String(area.counts[status] || '-'))]);
  return table(['area', ...used], rows, '', screen);
}

function indented(text: string, width: number): string {
  const lines = visibleLines(cutLines(text, linesShown, charactersShown)).split('\n');
  return lines.map((line) => `${' '.repeat(width)}${line}`).join('\n');
}
