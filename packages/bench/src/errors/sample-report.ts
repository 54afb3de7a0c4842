import { builtInEntries, describeError, neutral, type ErrorReport, type MediaType } from '@packhouse/problem-details';

/** The formats of an error that have code of their own. */
export const formats: readonly MediaType[] = ['application/json', 'text/markdown', 'text/html'];

/**
 * The error 522 as it would be reported on a zone.
 *
 * @param moreText Stands at the end of what happened and of what to do.
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

/** Bytes of a text, encoded as for a reply: a text that was put together is made whole only when somebody reads it. */
export const encodedLength = (text: string): number => encoder.encodeInto(text, bytes).written;
