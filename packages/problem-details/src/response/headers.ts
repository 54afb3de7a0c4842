import type { MediaType } from '../negotiation/media-type.ts';
import { contentSecurityPolicy } from '../render/html/content-security-policy.ts';

/** Values of `Content-Type`, sent with `; charset=utf-8` (ERR-072, ERR-105, ERR-119). */
export type SentType = MediaType | 'text/plain' | 'text/xml';

/** Facts that determine the headers of a reply. */
export interface ReplyFacts {
  readonly contentType: SentType;
  /** True if the body is the built-in page, whose policy allows its style (ERR-070). */
  readonly ownPage: boolean;
  readonly rayIdHeader: string;
  /** `<ray id>-<site>`. */
  readonly rayId: string;
  readonly language: string;
  /** Names of the headers that determined the reply. */
  readonly vary: string;
  /** Seconds; undefined for codes that are not retryable (ERR-081). */
  readonly retryAfter: number | undefined;
  /** Length in bytes of the body of a GET. */
  readonly length: number;
}

/**
 * Previously set headers that do not reach a reply: those of section 6 and those that ERR-129 names. The ray id header
 * of the dialect is always set.
 */
const notKept = new Set([
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-security-policy',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'referrer-policy',
  'retry-after',
  'set-cookie',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
  'x-frame-options',
]);

/** Headers that all replies share. */
const constant = {
  'Cache-Control': 'private, max-age=0, no-store, no-cache, must-revalidate',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'SAMEORIGIN',
};

/** Makes the headers of section 6. `pending` are those that other middleware has set (ERR-129). */
export const replyHeaders = (facts: ReplyFacts, pending?: Headers): HeadersInit => {
  const own: Record<string, string> = {
    'Content-Type': `${facts.contentType}; charset=utf-8`,
    'Content-Length': String(facts.length),
    Vary: mergeVary(pending?.get('vary'), facts.vary),
    [facts.rayIdHeader]: facts.rayId,
    'Content-Language': facts.language,
    ...constant,
  };
  if (facts.retryAfter !== undefined) own['Retry-After'] = String(facts.retryAfter);
  if (facts.ownPage) own['Content-Security-Policy'] = contentSecurityPolicy;
  if (pending === undefined) return own;
  const headers = new Headers();
  for (const [name, value] of pending) if (!notKept.has(name)) headers.append(name, value);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return headers;
};

/** Appends to the existing names; `*` stays alone (ERR-074). */
const mergeVary = (before: string | null | undefined, vary: string): string => {
  if (before === null || before === undefined) return vary;
  const names = new Map<string, string>();
  for (const name of `${before},${vary}`.split(',')) {
    const trimmed = name.trim();
    if (trimmed === '*') return '*';
    if (trimmed !== '') names.set(trimmed.toLowerCase(), trimmed);
  }
  return [...names.values()].join(', ');
};
