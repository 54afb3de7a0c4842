/** Whether a request has a credential: this token, or any. What follows `?` in a token is no part of it (TOKEN-001). */
export function holdsCredential(request: Request, token: string | undefined): boolean {
  const secret = secretOf(request);
  return secret !== undefined && (token === undefined || withoutExpiry(token) === withoutExpiry(secret));
}

/** The same request with a credential that nobody knows, in the same scheme. */
export function withCredential(request: Request, secret: string): Request {
  const headers = new Headers(request.headers);
  const isBasic = /^basic /i.test(headers.get('authorization') ?? '');
  headers.set('authorization', isBasic ? `Basic ${btoa(`x:${secret}`)}` : `Bearer ${secret}`);
  return new Request(request, { headers });
}

function secretOf(request: Request): string | undefined {
  const [, scheme, value = ''] = /^(bearer|basic) +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (scheme === undefined) return undefined;
  if (scheme.toLowerCase() === 'bearer') return value;
  try {
    const pair = atob(value);
    return pair.slice(pair.indexOf(':') + 1);
  } catch {
    return undefined;
  }
}

function withoutExpiry(token: string): string {
  return token.split('?')[0] as string;
}
