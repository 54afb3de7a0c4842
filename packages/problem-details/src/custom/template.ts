import type { RuleContentType } from './rule.ts';
import { escapeHtml } from '../render/html/escape.ts';

/** Names of the tokens of rules and pages (ERR-109), each written `::NAME::`. */
export const tokenNames = ['CLIENT_IP', 'RAY_ID', 'GEO', 'ERROR_CODE', 'ERROR_NAME', 'ZONE', 'TIMESTAMP'] as const;

export type TokenName = (typeof tokenNames)[number];

/** Gives the value of a token; nothing if it is unknown. It may throw. */
export type TokenSource = (name: TokenName) => string | null | undefined | Promise<string | null | undefined>;

/** A text with tokens, cut at them once so that replies only join its parts. */
export interface Template {
  /** Whether the box token stands in it. */
  readonly hasBox: boolean;
  /**
   * The text with its tokens replaced, in one pass: what is inserted is not searched again (ERR-109). Only tokens that
   * stand in the text are asked for, each once. `box` is HTML for the box token.
   *
   * @throws RangeError if the result is too long, and what `valueOf` or `box` throws.
   */
  readonly fill: (valueOf: TokenSource, box?: () => string) => Promise<string>;
}

const tokens: ReadonlyMap<string, TokenName> = new Map(tokenNames.map((name) => [`::${name}::`, name]));

/**
 * Characters of a result, four times those of the longest text with tokens (ERR-156): one of nothing but tokens would be
 * some thirty times as long otherwise, in the memory that a server has for everybody.
 */
const longestResult = 6_291_456;

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** Cuts a text at its tokens. `boxToken` is the one of an Error Page. */
export const readTemplate = (text: string, contentType: RuleContentType, boxToken?: string): Template => {
  const escape = escapeFor(contentType);
  const known = [...(boxToken === undefined ? [] : [boxToken]), ...tokens.keys()];
  // The group keeps the tokens among the parts: every second part is one.
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

/** A host application's function may give what its types do not allow. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

type Escape = (text: string) => string;

const asItIs: Escape = (text) => text;

/** Between the quotes of a string of JSON. */
const inJson: Escape = (text) => JSON.stringify(text).slice(1, -1);

/** What no document of XML 1.0 may hold, not even as a reference (XML 1.0 §2.2). */
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
