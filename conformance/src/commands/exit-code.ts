import type { Io } from '@packhouse/command';
import type { Report } from '../report/report.ts';
import { unexpected } from '../report/summary.ts';

/** Returns the exit code of a run, and says so if no case ran: a test that tests nothing must not look passed. */
export function exitCode(report: Report, io: Pick<Io, 'err'>): 0 | 1 | 2 {
  if (unexpected(report) > 0 || report.interrupted) return 1;
  if (report.cases.some(({ status }) => status !== 'skipped')) return 0;
  io.err('error: no case ran; the report says what they need\n');
  return 2;
}
