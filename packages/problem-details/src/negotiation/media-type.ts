/** Media types of error responses (section 2 of `errors.md`). */
export type MediaType = 'text/html' | 'application/json' | 'application/problem+json' | 'text/markdown';
