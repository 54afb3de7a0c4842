import { statuses, type Report, type Status } from './report.ts';

/** Returns the number of cases or requirements, and of each status among them. */
export function countsText(all: readonly { readonly status: Status }[]): string {
  const told = statuses.flatMap((status) => {
    const count = all.filter((one) => one.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return `${all.length}${told.length === 0 ? '' : `: ${told.join(', ')}`}`;
}

/** Returns the number of failures and errors that no baseline knows. */
export function unexpected({ cases }: Pick<Report, 'cases'>): number {
  return cases.filter(({ failure, known }) => failure !== null && known === undefined).length;
}

/** Returns the outcome of a run in a few words. */
export function outcomeText({ counts, cases, interrupted }: Pick<Report, 'counts' | 'cases' | 'interrupted'>): string {
  const { pass, fail, error } = counts;
  const ran = pass + fail + error;
  const known = (status: Status): number =>
    cases.filter((one) => one.status === status && one.known !== undefined).length;
  const parts = [
    [fail - known('fail'), 'fail'],
    [error - known('error'), 'broke'],
    [known('fail') + known('error'), 'known to fail'],
  ] as const;
  const others = parts.flatMap(([count, name]) => (count > 0 ? [`${count} ${name}`] : []));
  const all = interrupted ? `${pass} pass` : `all ${pass} pass`;
  const passed = others.length === 0 ? all : [`${pass} of ${ran} pass`, ...others].join(', ');
  const outcome = ran === 0 ? 'nothing was tested' : passed;
  return interrupted ? `${outcome}, stopped early` : outcome;
}
