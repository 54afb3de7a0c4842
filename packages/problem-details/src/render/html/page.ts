import type { ErrorReport } from '../../problem/report.ts';
import { writeDocument, writeSection } from './document.ts';
import { escapeHtml } from './escape.ts';
import { guidanceHtml } from './guidance.ts';
import { partiesHtml } from './parties.ts';
import { drawing } from './drawing.ts';

/**
 * Renders the body of `text/html` (section 5 of `errors.md`): a complete page without scripts or further requests.
 * Escapes every value. Send it with {@link contentSecurityPolicy}.
 */
export const renderHtml = (report: ErrorReport): string => {
  const { problem, labels } = report;
  const guidance = guidanceHtml(problem.what_you_should_do);
  return writeDocument({
    language: report.language,
    title: problem.title,
    zone: problem.zone,
    number: problem.error_code,
    heading: report.short_name,
    sections: [
      writeSection('column', labels.what_happened, `<div class="text"><p>${escapeHtml(problem.detail)}</p></div>`),
      writeSection('column', labels.what_you_can_do, `<div class="text">${guidance}</div>${waitLine(report)}`),
      writeSection('wide', labels.who_is_responsible, partiesHtml(report.responsible, labels)),
      writeSection('wide', labels.facts, factsHtml(report)),
    ].join(''),
    footer: problem.footer,
  });
};

const clock = drawing('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>');

/**
 * The line below the guidance that tells "the number of seconds given with this error"; empty if it is not retryable. The
 * number stands behind its label, where no language bends a word after it.
 */
const waitLine = ({ problem, labels }: ErrorReport): string =>
  problem.retry_after === undefined
    ? ''
    : `\n<p class="wait">${clock}<span>${escapeHtml(labels.retry_after)}: <strong>${problem.retry_after}</strong></span></p>`;

/** One fact; `value` is HTML. */
const fact = (label: string, value: string): string => `<div><dt>${escapeHtml(label)}</dt><dd>${value}</dd></div>\n`;

/** A value that is quoted to others as it is, from left to right in every language. */
const exact = (value: string): string => `<span class="exact" dir="ltr">${escapeHtml(value)}</span>`;

const timestamp = /^([0-9-]{10})T([0-9:]{8})Z$/;

const time = (value: string): string =>
  `<time class="exact" dir="ltr" datetime="${escapeHtml(value)}">${escapeHtml(value.replace(timestamp, '$1 $2 UTC'))}</time>`;

/** Renders the facts for a report of the error, as a list of names and values (ERR-063, ERR-068). */
const factsHtml = ({ problem, labels }: ErrorReport): string => {
  const { retry_after } = problem;
  return `<dl>
${fact(labels.error_code, exact(String(problem.error_code)))}${fact(labels.error_name, exact(problem.error_name))}${
    retry_after === undefined ? '' : fact(labels.retry_after, exact(String(retry_after)))
  }${fact(labels.ray_id, exact(problem.ray_id))}${fact(labels.time, time(problem.timestamp))}${
    problem.zone === '' ? '' : fact(labels.zone, exact(problem.zone))
  }</dl>`;
};
