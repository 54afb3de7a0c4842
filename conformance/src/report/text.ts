import { statuses, type CaseResult, type Report, type Status } from './report.ts';

/** Lines of one value before it is cut. */
const linesShown = 40;

/** Returns one line of progress. */
export function resultLine({ status, id, milliseconds, reason }: CaseResult): string {
  const why = reason === null ? '' : `: ${reason}`;
  return plain(`${status.padEnd(11)} ${id} (${milliseconds} ms)${why}`).replaceAll('\n', ' ');
}

/** Returns a report for people. `rerun` returns the command line that runs one case again. */
export function reportText(report: Report, rerun: (id: string) => string): string {
  const { cases, counts, target, seed, prefix, milliseconds, interrupted } = report;
  const parts = [
    ...cases.filter(({ failure }) => failure !== null).map((result) => failureText(result, rerun(result.id))),
    ...(['pass', 'beyond', 'unsupported', 'skipped'] as const).map((status) => reasonsText(status, cases)),
    report.left_behind.length === 0
      ? ''
      : `Not removed or closed:\n${report.left_behind.map((text) => `  ${text}\n`).join('')}`,
    [
      `${target.name} (${target.dialect}${target.account === '' ? '' : `, account ${target.account}`})`,
      `cases         ${countsText(counts)}`,
      `requirements  ${countsText(requirementCounts(report))}`,
      `seed ${seed}, names began with ${prefix}, ${(milliseconds / 1000).toFixed(1)} s${interrupted ? ', stopped before the end' : ''}`,
      '',
    ].join('\n'),
  ];
  return plain(parts.filter((part) => part !== '').join('\n'));
}

function failureText(result: CaseResult, again: string): string {
  const { status, id, requirements, explanation, failure, seed } = result;
  if (failure === null) return '';
  const { message, expected, seen, where } = failure;
  // Most assertion messages already contain both values.
  const compared = (name: string, value: string | undefined): string[] =>
    value === undefined || message.includes(value) ? [] : [`  ${name}`, indented(value, 4)];
  return [
    `${status === 'fail' ? 'FAIL' : 'ERROR'} ${id}`,
    `  ${explanation}`,
    `  ${requirements.join(', ')}${where === null ? '' : ` (${where})`}`,
    '',
    indented(message, 4),
    ...compared('expected', expected),
    ...compared('seen', seen),
    '',
    `  seed of the case ${seed}; again: ${again}`,
    '',
  ].join('\n');
}

/** Formats the cases of a status, grouped by reason. Passing cases appear only if they have a reason. */
function reasonsText(status: Status, cases: readonly CaseResult[]): string {
  const byReason = new Map<string, string[]>();
  for (const { status: own, reason, id } of cases) {
    if (own === status && (status !== 'pass' || reason !== null))
      byReason.set(reason ?? '', [...(byReason.get(reason ?? '') ?? []), id]);
  }
  if (byReason.size === 0) return '';
  const lines = [...byReason].map(
    ([reason, ids]) => `  ${reason.replaceAll('\n', ' ')}\n${indented(ids.join('\n'), 4)}\n`,
  );
  return `${status}\n${lines.join('')}`;
}

function countsText(counts: Readonly<Record<Status, number>>): string {
  const total = statuses.reduce((sum, status) => sum + counts[status], 0);
  const told = statuses.filter((status) => counts[status] > 0).map((status) => `${counts[status]} ${status}`);
  return `${total}${told.length === 0 ? '' : `: ${told.join(', ')}`}`;
}

function requirementCounts({ requirements }: Report): Record<Status, number> {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
  for (const { status } of requirements) counts[status] += 1;
  return counts;
}

function indented(text: string, width: number): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  const more = lines.length > linesShown ? [`... (${lines.length - linesShown} lines more)`] : [];
  return [...lines.slice(0, linesShown), ...more].map((line) => `${' '.repeat(width)}${line}`).join('\n');
}

/** Removes control characters, which could rewrite other text on a terminal. */
function plain(text: string): string {
  return text.replaceAll(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/g, '\uFFFD');
}
