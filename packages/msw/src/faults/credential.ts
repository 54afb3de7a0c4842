import { parseGitCredential, secretOf } from '@packhouse/base';

/**
 * Returns true if a request has this token, or any token if `token` is undefined. The text after `?` is not part of a
 * token (TOKEN-001).
 */
export function holdsCredential(request: Request, token: string | undefined): boolean {
  // The Git parser also accepts the credentials of REST.
  const secret = parseGitCredential(request.headers.get('authorization'));
  return secret !== undefined && (token === undefined || secretOf(token) === secret);
}

/** Returns the same request with an unknown credential in the same scheme. */
export function withCredential(request: Request, secret: string): Request {
  const headers = new Headers(request.headers);
  const isBasic = /^basic /i.test(headers.get('authorization') ?? '');
  headers.set('authorization', isBasic ? `Basic ${btoa(`x:${secret}`)}` : `Bearer ${secret}`);
  return new Request(request, { headers });
}
