/** Codes of section 14 for refused filters. */
export type TagFilterErrorCode = 1007 | 1010 | 1011 | 1012 | 1013 | 1014;

const messages: Readonly<Record<TagFilterErrorCode, string>> = {
  // The three dots are part of the message (TAG-157).
  1007: 'tag parameter must be in format...',
  1010: 'too many tag filters (maximum 20)',
  1011: 'tag key too long (maximum 256 characters)',
  1012: 'tag value too long (maximum 1024 characters)',
  1013: 'too many OR values in tag filter (maximum 10)',
  1014: 'Invalid tag key',
};

/** A refused filter, or too many filters. `message` is the exact text of the code (TAG-157 to TAG-163). */
export class TagFilterError extends Error {
  override readonly name: string = 'TagFilterError';
  readonly code: TagFilterErrorCode;
  /** Position of the filter in the query, from 1; `undefined` for a single filter, and for 1010. */
  readonly position: number | undefined;
  /** Explains the refusal, with the position if there is one (TAG-025): `filter 2: empty item in the value list`. */
  readonly reason: string;

  constructor(code: TagFilterErrorCode, why: string, position?: number) {
    super(messages[code]);
    this.code = code;
    this.position = position;
    this.reason = position === undefined ? why : `filter ${position}: ${why}`;
  }
}
