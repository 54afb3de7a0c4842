import { badge } from './badge.ts';
import { htmlReport } from './html/page.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { ndjsonEnd, ndjsonLine } from './ndjson.ts';
import type { Report } from '../report/report.ts';
import { tapReport } from './tap.ts';
import { reportText } from './text.ts';

/** Writes a report in one form. `rerun` returns the command line that runs one case again. */
type Form = (report: Report, rerun: (id: string) => string) => string;

export type ReportForm = 'text' | 'json' | 'ndjson' | 'junit' | 'tap' | 'markdown' | 'badge' | 'html';

/** The forms of a report by name. */
export const reportForms: Readonly<Record<ReportForm, Form>> = {
  text: (report, rerun) => reportText(report, rerun),
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  ndjson: (report) => report.cases.map(ndjsonLine).join('') + ndjsonEnd(report),
  junit: junitReport,
  tap: tapReport,
  markdown: markdownReport,
  badge,
  html: htmlReport,
};

export function isReportForm(name: string): name is ReportForm {
  return Object.hasOwn(reportForms, name);
}
