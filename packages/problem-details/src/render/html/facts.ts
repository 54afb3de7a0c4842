import type { ErrorReport } from '../../problem/report.ts';
import { escapeHtml } from './escape.ts';

/** One fact; `value` is HTML. */
const fact = (label: string, value: string): string => `<div><dt>${escapeHtml(label)}</dt><dd>${value}</dd></div>\n`;

/** A value that is quoted to others as it is, from left to right in every language. */
const exact = (value: string): string => `<span class="exact" dir="ltr">${escapeHtml(value)}</span>`;

const timestamp = /^([0-9-]{10})T([0-9:]{8})Z$/;

const time = (value: string): string =>
  `<time class="exact" dir="ltr" datetime="${escapeHtml(value)}">${escapeHtml(value.replace(timestamp, '$1 $2 UTC'))}</time>`;

/** What one needs to report the error, as a list of names and values (ERR-063, ERR-068). */
export const factsHtml = ({ problem, labels }: ErrorReport): string => {
  const { retry_after } = problem;
  return `<dl>
${fact(labels.error_code, exact(String(problem.error_code)))}${fact(labels.error_name, exact(problem.error_name))}${
    retry_after === undefined ? '' : fact(labels.retry_after, exact(String(retry_after)))
  }${fact(labels.ray_id, exact(problem.ray_id))}${fact(labels.time, time(problem.timestamp))}${
    problem.zone === '' ? '' : fact(labels.zone, exact(problem.zone))
  }</dl>`;
};
