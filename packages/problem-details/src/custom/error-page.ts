import { firstOwnCode } from '../catalogue/own-codes.ts';

/** Types of Error Pages: for codes 500 to 599, for 1000 to 1999, and for own codes (ERR-113). */
export const errorPageTypes = ['500_errors', '1000_errors', 'other_errors'] as const;

export type ErrorPageType = (typeof errorPageTypes)[number];

/** Returns the type of page for a code. */
export const errorPageType = (code: number): ErrorPageType =>
  code < 1000 ? '500_errors' : code < firstOwnCode ? '1000_errors' : 'other_errors';
