import type { FailureRecord } from './log.ts';

const textMax = 2048;

/**
 * A run of 40 hexadecimal digits or more, each as it stands or percent-encoded, with the expiry that follows the
 * secret of a repo token (TOKEN-002). What stands before the run is the dialect's choice, and nothing to rely on.
 */
const digits = /(\s?)(?<!%)(?<!%[0-9a-f])((?:[0-9a-f]|%3\d|%[46][1-6]){40,})((?:\?|%3f)expires(?:=|%3d)\d+)?/gi;

/** A text for the log: without what looks like a token, and of bounded length. */
export function withoutSecrets(text: string): string {
  return scrubbed(text).slice(0, textMax);
}

/** Before any cut, which could leave the first digits of a secret. A word that is an object id stays: no secret is one. */
function scrubbed(text: string): string {
  return text.replace(digits, (all, space: string, run: string, expires: string | undefined) =>
    space !== '' && expires === undefined && (run.length === 40 || run.length === 64) ? all : `${space}***`,
  );
}

/** What may be told of an error that says itself if it is worth a warning only (`level`), or is unexpected: neither a stack trace nor a path of the host nor a secret (REPO-009). */
export function failureRecord(error: unknown, requestId: string | null): FailureRecord {
  const { name, message, code, level } = Object(error) as Readonly<Record<string, unknown>>;
  return {
    event: 'failure',
    ...(level === 'warn' ? { level } : {}),
    request_id: requestId,
    error: typeof name === 'string' ? name : typeof error,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : null,
    message: scrubbed(typeof message === 'string' ? message : '')
      .replace(/(?:file:\/\/)?(?:\b[A-Za-z]:)?(?:[\\/][^\s\\/'"`:,;()]+)+/g, '<path>')
      .slice(0, textMax),
  };
}
