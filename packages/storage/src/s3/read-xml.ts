/** An element of a reply. Attributes, comments and prefixes of namespaces are dropped. */
export interface XmlElement {
  readonly name: string;
  /** Text of the element itself, without that of its children. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** A reply that is not XML, or has what S3 never sends. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
}

/** Replies of S3 have at most four levels. */
const depthMax = 16;

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

const token =
  /<\?[^]*?\?>|<!--[^]*?-->|<!\[CDATA\[(?<raw>[^]*?)\]\]>|<\/(?<end>[^\s<>]+)\s*>|<(?<start>[^\s<>/!?]+)(?:\s[^<>]*?)?(?<empty>\/?)>|(?<text>[^<]+)/y;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Reads an XML document as S3 sends it. Knows no document types, so that no entity is ever expanded. The caller bounds
 * the length.
 *
 * @throws {XmlError} for anything else.
 */
export function readXml(source: string): XmlElement {
  const document: OpenElement = { name: '', text: '', children: [] };
  const open: OpenElement[] = [document];
  for (let at = 0; at < source.length;) {
    token.lastIndex = at;
    const found = token.exec(source);
    if (found?.groups === undefined) throw new XmlError(`Not XML at ${at}`);
    at = token.lastIndex;
    take(open, found.groups);
  }
  const [root] = document.children;
  if (open.length > 1 || root === undefined || document.children.length > 1 || document.text.trim() !== '')
    throw new XmlError('Not one whole element');
  return root;
}

function take(open: OpenElement[], { raw, text, start, empty, end }: Record<string, string | undefined>): void {
  const inner = open.at(-1) as OpenElement;
  if (raw !== undefined) inner.text += raw;
  else if (text !== undefined) inner.text += unescaped(text);
  else if (start !== undefined) {
    const element: OpenElement = { name: localName(start), text: '', children: [] };
    inner.children.push(element);
    if (empty === '') open.push(element);
    if (open.length > depthMax) throw new XmlError('Too deep');
  } else if (end !== undefined && (open.length === 1 || open.pop()?.name !== localName(end)))
    throw new XmlError('An end without its start');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))|(\w{2,4}));|&/g, (_, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    const found = name === undefined ? character(code) : entities[name as string];
    if (found === undefined) throw new XmlError('An unknown entity');
    return found;
  });
}

function character(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Returns the text of the first child of that name; undefined without one. */
export function childText(element: XmlElement, name: string): string | undefined {
  return element.children.find((child) => child.name === name)?.text;
}

/** Escapes text for an element. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
