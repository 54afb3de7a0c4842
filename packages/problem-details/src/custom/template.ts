import type { RuleContentType } from './rule.ts';
import { escapeHtml } from '../render/html/escape.ts';

/** Names of the tokens of rules and pages (ERR-109), each written `::NAME::`. */
export const tokenNames = ['CLIENT_IP', 'RAY_ID', 'GEO', 'ERROR_CODE', 'ERROR_NAME', 'ZONE', 'TIMESTAMP'] as const;

export type TokenName = (typeof tokenNames)[number];

/** Gives the value of a token; nothing if it is unknown. It may throw. */
export type TokenSource = (name: TokenName) => string | null | undefined | Promise<string | null | undefined>;

/** A text that is split at its tokens once, so that replies only join the parts. */
export interface Template {
  /** True if the text contains the box token. */
  readonly hasBox: boolean;
  /**
   * Replaces the tokens in one pass: replacements are not searched again (ERR-109). Calls `valueOf` once for each token
   * in the text. `box` returns HTML for the box token.
   *
   * @throws RangeError if the result is too long; also errors of `valueOf` and `box`.
   */
  readonly fill: (valueOf: TokenSource, box?: () => string) => Promise<string>;
}

const tokens: ReadonlyMap<string, TokenName> = new Map(tokenNames.map((name) => [`::${name}::`, name]));

/**
 * Maximum length of a result in characters, four times the longest template (ERR-156). Without it, a text of tokens
 * only would grow some thirtyfold in the memory that all clients share.
 */
const longestResult = 6_291_456;

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** Splits a text at its tokens. `boxToken` is that of an Error Page. */
export const readTemplate = (text: string, contentType: RuleContentType, boxToken?: string): Template => {
  const escape = escapeFor(contentType);
  const known = [...(boxToken === undefined ? [] : [boxToken]), ...tokens.keys()];
  // The group keeps the tokens among the parts: every second part is a token.
  const parts = text.split(new RegExp(`(${known.map(literally).join('|')})`));
  const found = new Set(parts.filter((_, index) => index % 2 === 1));
  return {
    hasBox: boxToken !== undefined && found.has(boxToken),
    fill: async (valueOf, box) => {
      const inserted = new Map<string, string>();
      for (const token of found) {
        const name = tokens.get(token);
        if (token === boxToken) inserted.set(token, box?.() ?? '');
        else if (name !== undefined) inserted.set(token, escape(textOf(await valueOf(name))));
      }
      const filled = parts.map((part, index) => (index % 2 === 1 ? (inserted.get(part) ?? '') : part));
      const length = filled.reduce((sum, part) => sum + part.length, 0);
      if (length > longestResult) {
        throw new RangeError(`with its tokens replaced it has more than ${longestResult} characters`);
      }
      return filled.join('');
    },
  };
};

/** A function of the host application may return other types than declared. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

type Escape = (text: string) => string;

const asItIs: Escape = (text) => text;

/** Between the quotes of a string of JSON. */
const inJson: Escape = (text) => JSON.stringify(text).slice(1, -1);

/** Characters that no document of XML 1.0 may have, not even as a reference (XML 1.0 §2.2). */
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Entities; white space that a reader would turn into a space becomes a reference, so that it stays. */
const inXml: Escape = (text) =>
  escapeHtml(text.replaceAll(notInXml, '\ufffd')).replaceAll(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);

const escapes: Readonly<Record<RuleContentType, Escape>> = {
  'text/html': escapeHtml,
  'text/plain': asItIs,
  'application/json': inJson,
  'text/xml': inXml,
  'application/problem+json': inJson,
  'text/markdown': asItIs,
};

/** How the value of a token is escaped for a content type (ERR-110). */
const escapeFor = (contentType: RuleContentType): Escape => escapes[contentType];
