import type { ErrorReport } from '../../problem/report.ts';
import { writeDocument, writeSection } from './document.ts';
import { escapeHtml } from './escape.ts';
import { factsHtml } from './facts.ts';
import { guidanceHtml } from './guidance.ts';
import { partiesHtml } from './parties.ts';
import { waitLine } from './wait.ts';

/**
 * The body of `text/html` (section 5 of `errors.md`): a complete page that needs no script and no further request. Every
 * value is escaped. Send it with {@link contentSecurityPolicy}.
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
