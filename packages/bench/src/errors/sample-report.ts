import { builtInEntries, describeError, neutral, type ErrorReport, type MediaType } from '@packhouse/problem-details';

/** The formats of an error that have separate code. */
export const formats: readonly MediaType[] = ['application/json', 'text/markdown', 'text/html'];

/**
 * Returns the report of error 522 for a zone.
 *
 * @param moreText is appended to what happened and to what to do.
 */
export const sampleReport = (moreText = ''): ErrorReport => {
  const entry = builtInEntries.find(({ code }) => code === 522);
  if (entry === undefined) throw new Error('The catalogue has no code 522');
  return describeError(
    { ...entry, detail: entry.detail + moreText, what_you_should_do: entry.what_you_should_do + moreText },
    { rayId: '9184027733651048', now: Date.UTC(2026, 10, 5, 7, 41, 12), zone: 'shop.example' },
    { dialect: neutral, docsBase: 'https://packhouse.example' },
  );
};

const encoder = new TextEncoder();
const bytes = new Uint8Array(256 * 1024);

/**
 * Returns the length of a text, encoded as for a reply. V8 joins the parts of a concatenated text only when it is read.
 */
export const encodedLength = (text: string): number => encoder.encodeInto(text, bytes).written;
