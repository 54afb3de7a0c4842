/**
 * The negotiation of section 2, step by step as in the specification, and without regard to speed. A service must give
 * the same result for each header.
 */

import type { MediaType } from './replies.ts';

const limits = { characters: 8192, elements: 64 };
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const exact: readonly string[] = ['application/json', 'application/problem+json', 'text/markdown', 'text/html'];

interface Element {
  readonly range: string;
  readonly weight: number;
}

/** Returns the media type of the reply to an `Accept` header; `null` means no header. */
export function negotiated(accept: string | null): MediaType {
  // 1.
  if (accept === null || accept.trim() === '') return 'text/html';
  // 2. and 3.
  const elements = countedElements(accept).flatMap(readElement);
  // 4.
  const named = new Set(elements.map(({ range }) => range));
  const wanted = elements.filter(({ weight }) => weight > 0);
  // 5. and 6.: a stable sort leaves the first listed first.
  const [best] = wanted
    .flatMap(({ range, weight }) => {
      const type = mapped(range, named);
      return type === undefined ? [] : [{ type, weight }];
    })
    .sort((a, b) => b.weight - a.weight);
  return best?.type ?? 'text/html';
}

/** Returns the elements that count (NEG-007): not empty, not beyond or across a limit, and without an open quote. */
function countedElements(accept: string): readonly string[] {
  const seen = accept.slice(0, limits.characters);
  const { parts, open } = split(seen, ',');
  const cut = accept.length > seen.length && (open || accept[limits.characters] !== ',');
  const whole = open || cut ? parts.slice(0, -1) : parts;
  return whole
    .map(trimmed)
    .filter((element) => element !== '')
    .slice(0, limits.elements);
}

/** Splits a text outside of quoted strings. `open`: the last part has an unterminated quoted string. */
function split(text: string, separator: string): { readonly parts: readonly string[]; readonly open: boolean } {
  const parts = [''];
  let open = false;
  let escaped = false;
  for (const character of text) {
    if (!open && character === separator) {
      parts.push('');
      continue;
    }
    parts[parts.length - 1] += character;
    if (escaped) escaped = false;
    else if (open && character === '\\') escaped = true;
    else if (character === '"') open = !open;
  }
  return { parts, open };
}

function trimmed(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}

/** Parses one element; empty if it is invalid. */
function readElement(element: string): readonly Element[] {
  const [range = '', ...parameters] = split(element, ';').parts.map(trimmed);
  const [type = '', subtype = '', ...more] = range.toLowerCase().split('/');
  if (!token.test(type) || !token.test(subtype) || more.length > 0) return [];
  if (type === '*' && subtype !== '*') return [];
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? '1';
  if (!/^(?:0(?:\.[0-9]*)?|1(?:\.0*)?)$/.test(weight)) return [];
  return [{ range: `${type}/${subtype}`, weight: Number(weight) }];
}

function mapped(range: string, named: ReadonlySet<string>): MediaType | undefined {
  const first = (types: readonly MediaType[], covers: (type: string) => boolean): MediaType | undefined =>
    types.find((type) => !covers(type));
  const isNamed = (type: string): boolean => named.has(type);
  const isCovered = (type: string): boolean => named.has(type) || named.has(`${type.split('/')[0]}/*`);
  if (exact.includes(range)) return range as MediaType;
  if (range === 'application/xhtml+xml') return 'text/html';
  if (range === 'text/*') return first(['text/markdown', 'text/html'], isNamed);
  if (range === 'application/*') return first(['application/json', 'application/problem+json'], isNamed);
  if (range === '*/*') return first(['text/html', 'application/json', 'text/markdown'], isCovered);
  return undefined;
}
