/** A parser for plain HTML pages: elements, attributes and texts. It does not repair invalid markup. */

import { NotDone } from '../core/outcome.ts';

export interface HtmlElement {
  readonly name: string;
  /** By lower-case name, with entities decoded. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Elements inside it, at any depth. */
  readonly within: readonly HtmlElement[];
  readonly parent: HtmlElement | undefined;
  /** Its text with entities decoded and white space collapsed. The text of `style` is unchanged. */
  readonly text: string;
}

export interface HtmlPage {
  /** True if the page begins with the doctype. */
  readonly doctype: boolean;
  /** All elements, in the order of their start tags. */
  readonly elements: readonly HtmlElement[];
  all(name: string): readonly HtmlElement[];
  /** The text of `body`. */
  readonly text: string;
}

interface Open {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly within: HtmlElement[];
  readonly parent: HtmlElement | undefined;
  text: string;
}

const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr']);
const raw = new Set(['script', 'style', 'title', 'textarea']);
const inline = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'code',
  'em',
  'i',
  'kbd',
  'mark',
  'small',
  'span',
  'strong',
  'time',
  'wbr',
]);
const tag = /<(\/?)([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/giy;
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/**
 * Parses a page.
 *
 * @throws {NotDone} at markup that is not well-formed, such as a `<` that begins no tag.
 */
export function readPage(html: string): HtmlPage {
  const doctype = /^<!doctype html>/i.exec(html);
  const elements: Open[] = [];
  const open: Open[] = [];
  const say = (text: string): void => {
    for (const one of open) one.text += text;
  };
  let at = doctype?.[0].length ?? 0;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    const end = next < 0 ? html.length : next;
    say(decoded(html.slice(at, end)));
    at = end;
    if (next < 0) break;
    if (html.startsWith('<!--', at)) {
      const comment = html.indexOf('-->', at);
      if (comment < 0) throw new NotDone('the page has a comment without an end');
      at = comment + 3;
      continue;
    }
    tag.lastIndex = at;
    const found = tag.exec(html);
    if (found === null) throw new NotDone(`the page has markup that is none: ${html.slice(at, at + 60)}`);
    const [whole, slash, spelled = '', rest = ''] = found;
    const name = spelled.toLowerCase();
    at += whole.length;
    if (slash === '/') {
      const place = open.findLastIndex((one) => one.name === name);
      if (place < 0) throw new NotDone(`the page ends a <${name}> that was not begun`);
      open.splice(place);
      continue;
    }
    const attributes = new Map(
      [...rest.matchAll(attribute)].map(([, key = '', a, b, c]) => [key.toLowerCase(), decoded(a ?? b ?? c ?? '')]),
    );
    const element: Open = { name, attributes, within: [], parent: open.at(-1), text: '' };
    for (const one of open) one.within.push(element);
    elements.push(element);
    const drawing = name === 'svg' || open.some((one) => one.name === 'svg');
    // The words of two blocks, or of two lines, are separate words.
    if (!inline.has(name) && !raw.has(name)) say(' ');
    if (empty.has(name) || (drawing && whole.endsWith('/>'))) continue;
    if (!raw.has(name)) {
      open.push(element);
      continue;
    }
    const close = html.toLowerCase().indexOf(`</${name}>`, at);
    if (close < 0) throw new NotDone(`the page has a <${name}> without an end`);
    const content = html.slice(at, close);
    element.text = name === 'title' || name === 'textarea' ? decoded(content) : content;
    at = close + name.length + 3;
  }
  for (const one of elements) if (one.name !== 'style' && one.name !== 'script') one.text = spaced(one.text);
  return {
    doctype: doctype !== null,
    elements,
    all: (name) => elements.filter((one) => one.name === name),
    text: elements.find(({ name }) => name === 'body')?.text ?? '',
  };
}

/** Collapses white space as a browser does. */
export function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

function decoded(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z]+));/gi,
    (all, hex?: string, digits?: string, word?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (digits !== undefined) return String.fromCodePoint(Number(digits));
      return entities[word ?? ''] ?? all;
    },
  );
}
