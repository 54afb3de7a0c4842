import { UnservableRequestError } from './plain-reply.ts';

const hostForm = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;

/** @throws {UnservableRequestError} for a `Host` that is none (RFC 9112 §3.2). */
export function checkHost(host: string): void {
  if (!hostForm.test(host)) throw new UnservableRequestError(400, 'Malformed Host header');
}

/** What the log may tell of a request target: its path, without query, user and password. Empty if it has none. */
export function loggedPath(target: string): string {
  if (target === '*') return target;
  try {
    return targetPath(target).replace(/[?#].*$/s, '');
  } catch {
    return '';
  }
}

/** The path and query of a request target: as it stands, or of its absolute form (RFC 9112 §3.2.2). */
export function targetPath(target: string): string {
  if (target.startsWith('/')) return target;
  if (/^https?:\/\//i.test(target)) {
    try {
      const url = new URL(target);
      return url.pathname + url.search;
    } catch {
      // Falls through: no URL, no path.
    }
  }
  throw new UnservableRequestError(400, 'Malformed request target');
}
