import type { Step } from '../evidence/evidence.ts';
import { shellWord } from '@packhouse/command';
import type { CaseResult, Failure } from './report.ts';

/** Steps that a text shows: the last ones, since they are nearest to the failure. */
const stepsShown = 6;

/** A part of a failure with its heading. */
export type FailurePart = readonly [heading: string, text: string];

/** Returns the parts of a failure beyond its message that say something new. Most assertions already show both values. */
export function failureParts({ message, expected, seen, input }: Failure): readonly FailurePart[] {
  const parts: FailurePart[] = [];
  if (expected !== undefined && !message.includes(expected)) parts.push(['expected', expected]);
  if (seen !== undefined && !message.includes(seen)) parts.push(['seen', seen]);
  if (input !== undefined) parts.push(['for the input', input.text]);
  return parts;
}

/** Returns a failure as one text, for forms that have only one place for it. */
export function failureText({ failure, evidence }: CaseResult): string {
  if (failure === null) return '';
  return [
    failure.message,
    ...failureParts(failure).map(([heading, text]) => `${heading}: ${text}`),
    ...(failure.where === null ? [] : [`at ${failure.where}`]),
    ...(evidence === undefined ? [] : ['the last steps:', ...lastSteps(evidence.steps)]),
  ].join('\n');
}

/** Returns one line for each of the last steps. */
export function lastSteps(steps: readonly Step[]): readonly string[] {
  return steps.slice(-stepsShown).map(stepLine);
}

/** Returns one line about a step: what was sent, and what came back. */
export function stepLine(step: Step): string {
  if (step.kind === 'git') {
    const words = ['git', ...step.arguments.map(shellWord)].join(' ');
    return `${words} -> ${step.error ?? (step.status === null ? 'did not end' : `exit status ${step.status}`)}`;
  }
  const { method, url, reply, error } = step;
  return `${method} ${url} -> ${reply === null ? (error ?? 'no reply') : reply.status}`;
}
