import type { ErrorReport } from '../problem/report.ts';
import { extensionScalar, key, nameScalar, quoted, rayIdScalar, timestampScalar, zoneScalar } from './yaml.ts';

/** Options of the Markdown form. */
export interface MarkdownOptions {
  /** Adds `what_you_should_do` to the frontmatter; default true (ERR-055). */
  readonly guidanceMember?: boolean;
}

const isExtension = (name: string): name is `x_${string}` => name.startsWith('x_');

/** Formats the members of an own code, one per line (ERR-053). */
const extensionLines = ({ problem, marker }: ErrorReport): string => {
  let lines = '';
  for (const name of Object.keys(problem)) {
    const value = isExtension(name) && name !== marker ? problem[name] : undefined;
    if (value !== undefined) lines += `${key(name)}: ${extensionScalar(value)}\n`;
  }
  return lines;
};

/**
 * Renders the body of `text/markdown` (section 4 of `errors.md`): the extension members as YAML frontmatter, followed
 * by the texts. Only the frontmatter has content from the request (ERR-061).
 */
export const renderMarkdown = (report: ErrorReport, options: MarkdownOptions = {}): string => {
  const { problem } = report;
  const guidance = problem.what_you_should_do;
  const guidanceLine = options.guidanceMember === false ? '' : `what_you_should_do: ${quoted(guidance)}\n`;
  return `---
error_code: ${problem.error_code}
error_name: ${nameScalar(problem.error_name)}
error_category: ${nameScalar(problem.error_category)}
status: ${problem.status}
ray_id: ${rayIdScalar(problem.ray_id)}
timestamp: ${timestampScalar(problem.timestamp)}
zone: ${zoneScalar(problem.zone)}
${key(report.marker)}: true
retryable: ${problem.retryable}
${problem.retry_after === undefined ? '' : `retry_after: ${problem.retry_after}\n`}owner_action_required: ${problem.owner_action_required}
${guidanceLine}${extensionLines(report)}---

# ${problem.title}

## What Happened

${problem.detail}

## What You Should Do

${guidance}

---
${problem.footer}
`;
};
