import { statuses, type Report, type Status } from './report.ts';

/** Returns the number of cases or requirements, and of each status among them. */
export function countsText(all: readonly { readonly status: Status }[]): string {
  const told = statuses.flatMap((status) => {
    const count = all.filter((one) => one.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return `${all.length}${told.length === 0 ? '' : `: ${told.join(', ')}`}`;
}

/** Returns the outcome of a run in a few words. */
export function outcomeText({ counts, interrupted }: Pick<Report, 'counts' | 'interrupted'>): string {
  const { pass, fail, error } = counts;
  const ran = pass + fail + error;
  const outcome =
    ran === 0
      ? 'nothing was tested'
      : fail + error === 0
        ? `all ${pass} pass`
        : [
            `${pass} of ${ran} pass`,
            ...(fail > 0 ? [`${fail} fail`] : []),
            ...(error > 0 ? [`${error} broke`] : []),
          ].join(', ');
  return interrupted ? `${outcome}, stopped early` : outcome;
}
