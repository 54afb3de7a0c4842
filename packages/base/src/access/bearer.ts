/**
 * Returns the token of `Authorization: Bearer <token>`; the scheme is case-insensitive (REPO-030). Without one it
 * returns `undefined`, and the caller answers 401 (REPO-031).
 */
export function parseBearer(authorization: string | null): string | undefined {
  return /^bearer +([\x21-\x7e]{1,4096}) *$/i.exec(authorization ?? '')?.[1];
}
