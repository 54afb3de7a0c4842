import { CliError, printResult, shown, type Command } from '@packhouse/command';
import { compareReports, type CaseDifference, type Comparison, type Outcome } from '../report/compare-reports.ts';
import type { Report } from '../report/report.ts';
import { readReport } from './read-file.ts';

export const compareCommand: Command = {
  words: ['compare'],
  summary: 'Show where two deployments differ, from their reports',
  details:
    'Compares the cases that ran against both deployments. Write the reports with "run URL --report json=FILE", with the same --seed for the same random inputs.\nExits with 0 if both deployments do the same, 1 if they differ, 2 if a file is no report.',
  arguments: [
    { name: 'A', description: 'the JSON report of the first deployment' },
    { name: 'B', description: 'the JSON report of the second one' },
  ],
  options: [{ name: 'json', description: 'Print the result as one line of JSON' }],
  examples: ['compare before.json after.json', 'compare ours.json theirs.json --json'],
  async run(invocation, io) {
    const [a, b] = [readReport(io, invocation.argument('A')), readReport(io, invocation.argument('B'))];
    const comparison = compareReports(a, b);
    if (comparison.compared === 0) {
      throw new CliError('usage', 'No case ran against both deployments.', 'Run both with the same --only, or none.');
    }
    printResult(invocation, io, comparison, () => comparisonText(comparison, a, b));
    return comparison.cases.length === 0 ? 0 : 1;
  },
};

function comparisonText({ compared, cases, requirements, only }: Comparison, a: Report, b: Report): string {
  const ids = (letter: string, list: readonly string[]): readonly string[] =>
    list.length === 0 ? [] : [`ran against ${letter} alone`, ...list.map((id) => `  ${shown(id)}`), ''];
  return [
    ...cases.flatMap(differenceLines),
    ...(requirements.length === 0 ? [] : ['requirements']),
    ...requirements.map(({ id, first, second }) => `  ${shown(id)}: ${first} in A, ${second} in B`),
    ...(requirements.length === 0 ? [] : ['']),
    ...ids('A', only.first),
    ...ids('B', only.second),
    ...[a, b].map(({ target, started_at }, index) => {
      return `${index === 0 ? 'A' : 'B'}  ${shown(target.name)} (${shown(target.dialect)}), ${shown(started_at)}`;
    }),
    `${compared} cases ran against both, and ${cases.length === 0 ? 'none differs' : `${cases.length} differ`}`,
    '',
  ].join('\n');
}

function differenceLines({ id, explanation, requirements, first, second }: CaseDifference): readonly string[] {
  return [
    shown(id),
    `  ${shown(explanation)}`,
    `  ${shown(requirements.join(', '))}`,
    ...outcomeLines('A', first),
    ...outcomeLines('B', second),
    '',
  ];
}

function outcomeLines(letter: string, { status, reason, failure }: Outcome): readonly string[] {
  const lines = (failure?.message ?? reason ?? '').split('\n').filter((line) => line !== '');
  return [`  ${letter} ${status}`, ...lines.map((line) => `      ${shown(line)}`)];
}
