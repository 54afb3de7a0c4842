/** The formats of an error response, by media type (section 2 of `errors.md`). */
export type MediaType = 'text/html' | 'application/json' | 'application/problem+json' | 'text/markdown';
