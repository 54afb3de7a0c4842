import { failureParts, stepLine } from '../report/failure-text.ts';
import type { CaseResult, Report } from '../report/report.ts';
import { oneLine } from '../report/visible.ts';

/** Characters of one text in a diagnostic. */
const textMax = 20_000;

/** Returns a report in the Test Anything Protocol, version 14. A known deviation is a `TODO`. What is not tested is a
 * `SKIP` with its reason. */
export function tapReport(report: Report): string {
  const { cases, target, seed, interrupted } = report;
  return [
    'TAP version 14',
    `1..${cases.length}`,
    `# ${oneLine(target.name)}, seed ${seed}`,
    ...cases.map((result, index) => testPoint(result, index + 1)),
    ...(interrupted ? ['Bail out! The run was stopped before its end.'] : []),
    '',
  ].join('\n');
}

function testPoint(result: CaseResult, number: number): string {
  const { id, status, reason, failure, known } = result;
  const todo = known === undefined ? '' : ` # TODO ${oneLine(known)}`;
  if (failure !== null) return `not ok ${number} - ${escaped(id)}${todo}\n${diagnostic(result)}`;
  if (status === 'pass') return `ok ${number} - ${escaped(id)}`;
  return `ok ${number} - ${escaped(id)} # SKIP ${status}${reason === null ? '' : `: ${oneLine(reason)}`}`;
}

function escaped(text: string): string {
  return oneLine(text).replaceAll(/[\\#]/g, '\\$&');
}

function diagnostic(result: CaseResult): string {
  const { failure, status, explanation, requirements, seed, milliseconds, evidence } = result;
  const facts: Record<string, unknown> = {
    message: failure?.message ?? '',
    severity: status,
    explanation,
    requirements,
    ...Object.fromEntries(failure === null ? [] : failureParts(failure).map(([name, text]) => [nameOf(name), text])),
    at: failure?.where ?? null,
    seed,
    duration_ms: milliseconds,
    steps: evidence?.steps.map(stepLine) ?? [],
  };
  const lines = Object.entries(facts).map(([name, value]) => `  ${name}: ${yaml(value)}`);
  return ['  ---', ...lines, '  ...'].join('\n');
}

function nameOf(heading: string): string {
  return heading === 'for the input' ? 'input' : heading;
}

/** Writes a value as YAML. JSON is YAML, except that YAML wants some characters escaped. */
function yaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yaml).join(', ')}]`;
  const cut = typeof value === 'string' && value.length > textMax ? `${value.slice(0, textMax)}...` : value;
  return JSON.stringify(cut).replaceAll(
    /[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
