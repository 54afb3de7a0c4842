import { secretOf } from './secret.ts';

/**
 * Returns the secret in the `Authorization` header of a Git request: the Bearer token, or the password of Basic with
 * any user name (GIT-020, GIT-021, GIT-023).
 *
 * @returns `undefined` without header, with another scheme, an undecodable value or an empty password. The caller
 * answers 401 (GIT-022, GIT-024).
 */
export function parseGitCredential(authorization: string | null): string | undefined {
  const [, scheme, value] = /^([A-Za-z]+) +([\x21-\x7e]+) *$/.exec(authorization ?? '') ?? [];
  switch (scheme?.toLowerCase()) {
    case 'bearer':
      return secretOf(value as string);
    case 'basic':
      return basicSecret(value as string);
    default:
      return undefined;
  }
}

function basicSecret(value: string): string | undefined {
  // `atob` alone accepts white space and any padding.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  let pair: string;
  try {
    pair = atob(value);
  } catch {
    return undefined;
  }
  const colon = pair.indexOf(':');
  return colon < 0 ? undefined : secretOf(pair.slice(colon + 1));
}
