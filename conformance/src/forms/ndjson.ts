import type { CaseResult, Report } from '../report/report.ts';

/** Returns the line of one case for an NDJSON report. It is written as soon as the case ends. */
export function ndjsonLine(result: CaseResult): string {
  return `${JSON.stringify({ type: 'case', ...result })}\n`;
}

/** Returns the last line of an NDJSON report: everything except the cases. */
export function ndjsonEnd({ cases: _cases, ...rest }: Report): string {
  return `${JSON.stringify({ type: 'summary', ...rest })}\n`;
}
