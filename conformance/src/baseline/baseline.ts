import { isRecord } from '../report/report-fault.ts';
import type { Report } from '../report/report.ts';

/** A case that a deployment is known not to pass. */
export interface Deviation {
  /** The id of the case. */
  readonly case: string;
  readonly status: 'fail' | 'error';
  /** Why the deployment deviates, for people. */
  readonly reason: string;
}

/** The known deviations of one deployment. `schema/baseline.schema.json` describes its JSON form. */
export interface Baseline {
  readonly $schema?: string;
  readonly format: 'packhouse-conformance-baseline';
  /** The version of the format. Members may be added to a version; removing one needs the next version. */
  readonly version: 1;
  readonly deviations: readonly Deviation[];
}

const schema = 'https://raw.githubusercontent.com/packhouse-git/packhouse/main/conformance/schema/baseline.schema.json';
/** Characters of a reason that a report gives: people write the rest. */
const reasonMax = 200;

/** Returns the failures of a report as known deviations, each with the reason that it had, or the first line of its failure. */
export function baselineOf(report: Report): Baseline {
  const deviations = report.cases.flatMap(({ id, status, failure, known }): Deviation[] => {
    if (status !== 'fail' && status !== 'error') return [];
    const [line = ''] = (failure?.message ?? '').split('\n');
    return [{ case: id, status, reason: known ?? line.slice(0, reasonMax) }];
  });
  return { $schema: schema, format: 'packhouse-conformance-baseline', version: 1, deviations };
}

/** Returns the member of a baseline in JSON that is missing or has another form; undefined if it is whole. */
export function baselineFault({ deviations }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(deviations)) return 'deviations';
  const ids = new Set<unknown>();
  const fault = deviations.findIndex((one: unknown) => {
    if (!isRecord(one) || ids.has(one['case'])) return true;
    ids.add(one['case']);
    const isStatus = one['status'] === 'fail' || one['status'] === 'error';
    return typeof one['case'] !== 'string' || !isStatus || typeof one['reason'] !== 'string' || one['reason'] === '';
  });
  return fault === -1 ? undefined : `deviations[${fault}]`;
}
