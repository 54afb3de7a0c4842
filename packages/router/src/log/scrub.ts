import type { FailureRecord } from './log.ts';

const textMax = 2048;

/** A text for the log: without what looks like a repo token, and of bounded length. */
export function withoutSecrets(text: string): string {
  return text.slice(0, textMax).replace(/_[0-9a-f]{40}(?:(?:\?|%3f)expires(?:=|%3d)\d+)?/gi, '_***');
}

/** What may be told of an unexpected error: neither a stack trace nor a path of the host nor a secret (REPO-009). */
export function failureRecord(error: unknown, requestId: string | null): FailureRecord {
  const { name, message, code } = Object(error) as { name?: unknown; message?: unknown; code?: unknown };
  return {
    event: 'failure',
    request_id: requestId,
    error: typeof name === 'string' ? name : typeof error,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : null,
    message: withoutSecrets(typeof message === 'string' ? message : '').replace(
      /(?:file:\/\/)?(?:\b[A-Za-z]:)?(?:[\\/][^\s\\/'"`:,;()]+)+/g,
      '<path>',
    ),
  };
}
