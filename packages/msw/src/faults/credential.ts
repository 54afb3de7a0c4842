import { parseGitCredential, secretOf } from '@packhouse/base';

/** Whether a request has a credential: this token, or any. What follows `?` in a token is no part of it (TOKEN-001). */
export function holdsCredential(request: Request, token: string | undefined): boolean {
  // It takes what REST takes, too.
  const secret = parseGitCredential(request.headers.get('authorization'));
  return secret !== undefined && (token === undefined || secretOf(token) === secret);
}

/** The same request with a credential that nobody knows, in the same scheme. */
export function withCredential(request: Request, secret: string): Request {
  const headers = new Headers(request.headers);
  const isBasic = /^basic /i.test(headers.get('authorization') ?? '');
  headers.set('authorization', isBasic ? `Basic ${btoa(`x:${secret}`)}` : `Bearer ${secret}`);
  return new Request(request, { headers });
}
