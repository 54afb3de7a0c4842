import { inspect } from 'node:util';
import type { FailingInput, Failure } from '../report/report.ts';
import type { Secrets } from '../core/secrets.ts';

/** Characters kept of one text of a failure. */
const textMax = 8_000;
const valueMax = 4_000;
/** Characters kept of the input of a property. */
const inputMax = 1_048_576;
/** Characters examined of one text inside a value. */
const innerTextMax = 1_000_000;

/** Describes an error of a case as data for reports. Secrets are removed first, since a cut could leave half of one. */
export function describeFailure(error: unknown, secrets: Secrets): Failure {
  const clean = (text: string, max: number): string => cut(secrets.scrub(text), max);
  if (!(error instanceof Error)) return { message: clean(`thrown: ${inspect(error)}`, textMax), where: null };
  const compared = comparison(error);
  const input = failingInput(error.message);
  return {
    message: clean(input === undefined ? messageOf(error) : propertyMessage(error, input), textMax),
    ...(compared === undefined
      ? {}
      : { expected: clean(compared.expected, valueMax), seen: clean(compared.actual, valueMax) }),
    ...(input === undefined ? {} : { input: { ...input, text: secrets.scrub(input.text).slice(0, inputMax) } }),
    where: placeOf(error),
  };
}

/** Returns the message with those of its causes: "fetch failed" alone says nothing. */
function messageOf(error: Error): string {
  const own = isAssertion(error) ? error.message : `${error.name}: ${error.message}`;
  const parts = [own.trimEnd()];
  let cause: unknown = error.cause;
  for (let depth = 0; cause instanceof Error && depth < 4; depth++) {
    if (cause.message !== '' && !parts.some((part) => part.includes((cause as Error).message))) {
      parts.push(`because: ${cause.message}`);
    }
    cause = cause.cause;
  }
  return parts.join('\n');
}

/**
 * Reads the input from the message of fast-check, which has it whole. So it is found for every property. The text of a value is on one line, since strings are quoted.
 */
function failingInput(message: string): FailingInput | undefined {
  const [, seed, path, text, shrinks] =
    /^Property failed after \d+ tests?\n\{ seed: (-?\d+), path: "([^"]*)"[^\n]*\}\nCounterexample: ([^]*?)\nShrunk (\d+) time/.exec(
      message,
    ) ?? [];
  if (text === undefined) return undefined;
  return { text, length: text.length, seed: Number(seed), path: path ?? '', shrinks: Number(shrinks) };
}

/** Returns the message of a failed property without its input, which is shown separately. */
function propertyMessage({ message, cause }: Error, { shrinks }: FailingInput): string {
  const count = /^Property failed after (\d+)/.exec(message)?.[1] ?? '?';
  const reason = cause instanceof Error ? `\n${messageOf(cause)}` : '';
  return `Property failed for random input ${count}, which was made smaller ${shrinks} times.${reason}`;
}

function isAssertion({ name, message }: Error): boolean {
  return name === 'AssertionError' || name === 'NotDone' || message.startsWith('Property failed');
}

/** Returns the compared values of the error itself or of the one that it wraps. */
function comparison(error: Error): { expected: string; actual: string } | undefined {
  let found: unknown = error;
  for (let depth = 0; found instanceof Error && depth < 4; depth++) {
    if ('expected' in found && 'actual' in found && !isPlain(found)) {
      return { expected: shown(found.expected), actual: shown(found.actual) };
    }
    found = found.cause;
  }
  return undefined;
}

/** Returns true for errors of `assert.ok` and `assert.fail`, whose values say only that they failed. */
function isPlain(error: object): boolean {
  return 'operator' in error && (error.operator === '==' || error.operator === 'fail');
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? value
    : inspect(value, { depth: 6, maxArrayLength: 200, maxStringLength: innerTextMax });
}

/** Returns file and line of the case, without the folders of this machine. */
function placeOf(error: Error): string | null {
  let found: unknown = error;
  for (let depth = 0; found instanceof Error && depth < 4; depth++) {
    const place = /[/\\](cases[/\\][^\s():]+:\d+):\d+/.exec(found.stack ?? '')?.[1];
    if (place !== undefined) return place.replaceAll('\\', '/');
    found = found.cause;
  }
  return null;
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)} ... (${text.length - max} characters more)`;
}
