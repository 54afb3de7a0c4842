import { UnservableRequestError } from './plain-reply.ts';

const hostForm = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** @throws {UnservableRequestError} for a malformed `Host` (RFC 9112 §3.2). */
export function checkHost(host: string): void {
  if (!hostForm.test(host)) throw new UnservableRequestError(400, 'Malformed Host header');
}

/** Returns the path of a request target for the log, without query, user and password. Empty if it has no path. */
export function loggedPath(target: string): string {
  if (target === '*') return target;
  try {
    return targetPath(target).replace(/[?#].*$/s, '');
  } catch {
    return '';
  }
}

/**
 * Returns the path and query of a request target in origin form or absolute form (RFC 9112 §3.2.2).
 *
 * @throws {UnservableRequestError} for any other target.
 */
export function targetPath(target: string): string {
  if (target.startsWith('/')) return target;
  if (/^https?:\/\//i.test(target)) {
    try {
      const url = new URL(target);
      return url.pathname + url.search;
    } catch {
      // Falls through to the error below: the target is not a URL.
    }
  }
  throw new UnservableRequestError(400, 'Malformed request target');
}
