/** The token of `Authorization: Bearer <token>`, the scheme in any case (REPO-030); `undefined` is answered 401 (REPO-031). */
export function parseBearer(authorization: string | null): string | undefined {
  return /^bearer +([\x21-\x7e]{1,4096}) *$/i.exec(authorization ?? '')?.[1];
}
