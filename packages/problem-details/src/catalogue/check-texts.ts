import type { EntryTexts } from './entry.ts';
import { htmlWeight } from './html-weight.ts';
import { guidanceMarkup, plainMarkup } from './markup.ts';

/** Members with texts that have a maximum length. */
export type TextMember = keyof EntryTexts | 'footer' | 'label';

/** Maximum length of each text by {@link htmlWeight}, so that an HTML page has at most 16,384 bytes (ERR-154). */
export const textLimits: Readonly<Record<TextMember, number>> = {
  short_name: 256,
  detail: 1024,
  what_you_should_do: 3584,
  footer: 512,
  label: 96,
};

/**
 * Checks the texts of an entry (ERR-013 to ERR-015). Returns the first fault in a sentence that names the member, or
 * undefined.
 *
 * @param directive required beginning of the guidance (ERR-014). Default: any bold words (ERR-150).
 */
export function checkTexts(
  texts: Readonly<Partial<Record<keyof EntryTexts, unknown>>>,
  directive?: string,
): string | undefined {
  return (
    checkPlainText('short_name', texts.short_name) ??
    checkPlainText('detail', texts.detail) ??
    checkGuidance(texts.what_you_should_do, directive)
  );
}

/** Checks a member that must be one line of plain text. Returns its fault in a sentence that names it. */
export function checkPlainText(member: 'short_name' | 'detail' | 'footer', text: unknown): string | undefined {
  const fault = plainTextFault(member, text);
  return fault && `\`${member}\` ${fault}`;
}

/** Does the same, and returns the end of a sentence about the text. */
export function plainTextFault(member: 'short_name' | 'detail' | 'footer', text: unknown): string | undefined {
  return lengthFault(member, text) ?? lineFault(String(text)) ?? markupFault(plainMarkup(String(text)));
}

/** Checks a label, which is one line for the HTML page only. */
export function checkLabel(member: string, text: unknown): string | undefined {
  const fault = lengthFault('label', text) ?? lineFault(String(text));
  return fault && `\`labels.${member}\` ${fault}`;
}

function checkGuidance(text: unknown, directive: string | undefined): string | undefined {
  const fault = lengthFault('what_you_should_do', text) ?? guidanceFault(String(text), directive);
  return fault && `\`what_you_should_do\` ${fault}`;
}

function guidanceFault(text: string, directive: string | undefined): string | undefined {
  if (directive === undefined ? !/^\*\*[^\s*](?:[^*\n]*[^\s*])?\*\* /.test(text) : !text.startsWith(directive))
    return `must begin with ${directive === undefined ? 'bold words and a space' : `\`${directive}\``} (ERR-014)`;
  if (text.includes('\r')) return 'must end its lines with LF alone, without CR';
  if (text.endsWith('\n')) return 'must not end with a line end';
  for (const line of text.split('\n')) {
    const fault = line === '' ? undefined : (lineFault(line) ?? markupFault(guidanceMarkup(line)));
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function lengthFault(member: TextMember, text: unknown): string | undefined {
  if (typeof text !== 'string' || text === '') return 'must be a text';
  const limit = textLimits[member];
  // Each character counts at least 1, so a text of any length costs little.
  return text.length > limit || htmlWeight(text) > limit
    ? `must be shorter: at most ${limit} bytes in the HTML page, escapes included (ERR-154)`
    : undefined;
}

function markupFault(form: string | undefined): string | undefined {
  return form && `must not hold ${form}: it would be markup in Markdown and text in HTML (ERR-013, ERR-014)`;
}

/** What nobody can read: control characters, line separators, byte order marks, halves of surrogate pairs, U+FFFF. */
const unprintable = /[\0-\x1F\x7F-\x9F\u2028\u2029\uFEFF\uFFFE\uFFFF]|\p{Surrogate}/u;

const ipv4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)/;
const ipv6 = /(?<![\w:.])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}|[0-9a-f:]*::[0-9a-f:.]*)(?![\w:])/i;

/** `host.example:8080`, `worker.js:12:7`, `(native code:1:2)`; not a time of day, such as `(10:30:15)`. */
const place = /[\w)/\\]\.[a-z]{1,24}:\d|[^\d\s]:\d+:\d+\)/i;

/**
 * Finds faults of a text that a program can find: more than one line, and what ERR-015 bars. Only its author can make
 * sure that it has no names of machines.
 *
 * @returns the end of a sentence about the text, or nothing.
 */
function lineFault(text: string): string | undefined {
  if (text !== text.trim()) return 'must not have white space at the begin or end of a line';
  if (unprintable.test(text)) return 'must hold no control characters and no line ends (ERR-013, ERR-015)';
  if (ipv4.test(text) || ipv6.test(text)) return 'must hold no IP address (ERR-015)';
  if (place.test(text)) return 'must hold no port of a host and no place in source code (ERR-015)';
  return undefined;
}
