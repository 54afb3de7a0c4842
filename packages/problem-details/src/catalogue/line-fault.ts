/** What nobody can read: control characters, line separators, byte order marks, halves of surrogate pairs, U+FFFF. */
const unprintable = /[\0-\x1F\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]|\p{Surrogate}/u;

const ipv4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)/;
const ipv6 = /(?<![\w:.])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}|[0-9a-f:]*::[0-9a-f:.]*)(?![\w:])/i;

/** `host.example:8080`, `worker.js:12:7`, `(native code:1:2)`; not a time of day, such as `(10:30:15)`. */
const place = /[\w)/\\]\.[a-z]{1,24}:\d|[^\d\s]:\d+:\d+\)/i;

/**
 * What is wrong with a line of text, as far as a machine can see it: more than one line, and what ERR-015 bars. That a
 * text holds no names of machines and the like is for whoever writes it to see to.
 *
 * @returns The end of a sentence about the text, or nothing.
 */
export function lineFault(text: string): string | undefined {
  if (text !== text.trim()) return 'must not have white space at the begin or end of a line';
  if (unprintable.test(text)) return 'must hold no control characters and no line ends (ERR-013, ERR-015)';
  if (ipv4.test(text) || ipv6.test(text)) return 'must hold no IP address (ERR-015)';
  if (place.test(text)) return 'must hold no port of a host and no place in source code (ERR-015)';
  return undefined;
}
