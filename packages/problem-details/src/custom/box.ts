import type { ErrorReport } from '../problem/report.ts';
import { directionOf } from '../render/html/direction.ts';
import { escapeHtml } from '../render/html/escape.ts';
import { guidanceHtml } from '../render/html/guidance.ts';

/** Renders the block that replaces the box token of an Error Page (ERR-115), without styles. */
export const renderBox = ({ problem, labels, language }: ErrorReport): string => {
  const time = escapeHtml(problem.timestamp);
  return `<section lang="${escapeHtml(language)}" dir="${directionOf(language)}">
<h2>${escapeHtml(problem.title)}</h2>
<p>${escapeHtml(problem.detail)}</p>
${guidanceHtml(problem.what_you_should_do)}
<dl>
<dt>${escapeHtml(labels.ray_id)}</dt>
<dd>${escapeHtml(problem.ray_id)}</dd>
<dt>${escapeHtml(labels.time)}</dt>
<dd><time datetime="${time}">${time}</time></dd>
</dl>
</section>`;
};
