/**
 * A second parser, written only from the grammar and the rows of section 10. It is slow, and shares no code with the
 * first one.
 */

/** The code of the error, or 0 and the parsed form. */
export interface LiteralResult {
  readonly code: number;
  readonly filter?: { readonly key: string; readonly test: string; readonly values?: readonly string[] };
}

/** A `pct` of the grammar, or one character of the query. */
interface Token {
  readonly text: string;
  readonly coded: boolean;
}

const isOneOf = (token: Token | undefined, literal: string, coded: string): boolean =>
  token !== undefined && (token.coded ? token.text.toUpperCase() === coded : token.text === literal);
const isBang = (token: Token | undefined): boolean => isOneOf(token, '!', '%21');
const isOperator = (token: Token | undefined): boolean => isOneOf(token, '=', '%3D');

/** Decodes as TAG-085 says. Returns `undefined` for text that is not UTF-8 or has U+0000. */
function decode(tokens: readonly Token[]): string | undefined {
  const bytes = tokens.flatMap(({ text, coded }) =>
    coded ? [Number.parseInt(text.slice(1), 16)] : [...new TextEncoder().encode(text === '+' ? ' ' : text)],
  );
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function split(tokens: readonly Token[], separates: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (separates(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

export function parseLiterally(filter: string): LiteralResult {
  const tokens = [...filter.matchAll(/%[0-9A-F]{2}|[^]/giu)].map(([text]) => ({ text, coded: text.length === 3 }));
  // The grammar allows these characters in neither keys nor values. An unpaired surrogate is not a character.
  if (tokens.length === 0 || tokens.some(({ text }) => /^[%&#\p{Surrogate}]$/u.test(text))) return { code: 1007 };

  const operator = tokens.findIndex(isOperator);
  if (operator < 0) {
    const negated = isBang(tokens[0]);
    const key = decode(negated ? tokens.slice(1) : tokens);
    if (key === undefined || key === '') return { code: 1007 };
    const code = keyCode(key);
    return code === undefined ? { code: 0, filter: { key, test: negated ? 'lacks' : 'has' } } : { code };
  }
  const negated = isBang(tokens[operator - 1]);
  const keyTokens = tokens.slice(0, negated ? operator - 1 : operator);
  const key = decode(keyTokens);
  const commas = tokens[operator]?.coded ? ['%2C', '%2c', ','] : [','];
  const values = split(tokens.slice(operator + 1), ({ text }) => commas.includes(text)).map(decode);
  if (key === undefined || key === '' || isBang(keyTokens[0])) return { code: 1007 };
  if (values.length > 1 && values.includes('')) return { code: 1007 };
  const readable = values.filter((value) => value !== undefined);
  if (readable.length < values.length) return { code: 1007 };
  const tooLong = readable.some((value) => Array.from(value).length > 1024);
  const code = keyCode(key) ?? (values.length > 10 ? 1013 : undefined) ?? (tooLong ? 1012 : 0);
  if (code !== 0) return { code };
  return { code, filter: { key, test: negated ? 'none-of' : 'one-of', values: readable } };
}

/** Checks TAG-131 and TAG-132 in the order of TAG-152. */
function keyCode(key: string): number | undefined {
  const characters = Array.from(key);
  if (characters.length > 256) return 1011;
  return characters.every((character) => /^(?:\p{L}|\p{Nd}|[-_.])$/u.test(character)) ? undefined : 1014;
}
