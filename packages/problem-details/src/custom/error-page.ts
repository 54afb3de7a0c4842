import { firstOwnCode } from '../catalogue/own-codes.ts';

/** Kinds of Error Pages: for codes 500 to 599, 1000 to 1999, and own codes (ERR-113). */
export const errorPageTypes = ['500_errors', '1000_errors', 'other_errors'] as const;

export type ErrorPageType = (typeof errorPageTypes)[number];

/** The kind of page that covers a code. */
export const errorPageType = (code: number): ErrorPageType =>
  code < 1000 ? '500_errors' : code < firstOwnCode ? '1000_errors' : 'other_errors';
