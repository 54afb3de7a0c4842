import type { ErrorReport } from '../../problem/report.ts';
import { drawing } from './drawing.ts';
import { escapeHtml } from './escape.ts';

const clock = drawing('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>');

/** The time to wait as text with its unit, as HTML; nothing if the error is not retryable. */
export const waitHtml = ({ problem, labels }: ErrorReport): string | undefined =>
  problem.retry_after === undefined ? undefined : `${problem.retry_after} ${escapeHtml(labels.seconds)}`;

/** The line below the guidance that says how long "the number of seconds given with this error" is. */
export const waitLine = (report: ErrorReport): string => {
  const wait = waitHtml(report);
  return wait === undefined
    ? ''
    : `\n<p class="wait">${clock}<span>${escapeHtml(report.labels.retry_after)} ${wait}</span></p>`;
};
