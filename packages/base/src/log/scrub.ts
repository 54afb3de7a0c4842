import type { FailureRecord } from './log.ts';

const textMax = 2048;

/**
 * A run of at least 40 hexadecimal digits, each plain or percent-encoded, with the expiry that may follow the secret of
 * a repo token (TOKEN-002). Does not match the prefix of a token, since each dialect has its own.
 */
const digits = /(\s?)(?<!%)(?<!%[0-9a-f])((?:[0-9a-f]|%3\d|%[46][1-6]){40,})((?:\?|%3f)expires(?:=|%3d)\d+)?/gi;

/** Prepares a text for the log: replaces possible tokens and limits the length. */
export function withoutSecrets(text: string): string {
  return scrubbed(text).slice(0, textMax);
}

/**
 * Runs before the text is cut, since a cut could leave the first digits of a secret. Keeps a word that is an object id:
 * no secret has that length without an expiry.
 */
function scrubbed(text: string): string {
  return text.replace(digits, (all, space: string, run: string, expires: string | undefined) =>
    space !== '' && expires === undefined && (run.length === 40 || run.length === 64) ? all : `${space}***`,
  );
}

/**
 * Makes the log record of an error, without stack trace, path of the host or secret (REPO-009). An error with `level:
 * 'warn'` becomes a warning.
 */
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
