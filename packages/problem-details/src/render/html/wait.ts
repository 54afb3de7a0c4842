import type { ErrorReport } from '../../problem/report.ts';
import { drawing } from './drawing.ts';
import { escapeHtml } from './escape.ts';

const clock = drawing('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>');

/**
 * The line below the guidance that tells "the number of seconds given with this error"; empty if it is not retryable. The
 * number stands behind its label, where no language bends a word after it.
 */
export const waitLine = ({ problem, labels }: ErrorReport): string =>
  problem.retry_after === undefined
    ? ''
    : `\n<p class="wait">${clock}<span>${escapeHtml(labels.retry_after)}: <strong>${problem.retry_after}</strong></span></p>`;
