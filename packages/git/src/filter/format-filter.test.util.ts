import type { FilterPart } from './filter-spec.ts';

/** The text of a filter; several parts become a `combine`, with everything but letters and digits encoded. */
export function formatFilter(parts: readonly FilterPart[]): string {
  const [only, ...others] = parts.map(formatPart);
  return others.length === 0 ? (only ?? '') : `combine:${[only ?? '', ...others].map(percentEncoded).join('+')}`;
}

function formatPart(part: FilterPart): string {
  switch (part.kind) {
    case 'blob:none':
      return part.kind;
    case 'blob:limit':
      return `blob:limit=${part.bytes}`;
    case 'tree':
      return `tree:${part.depth}`;
    case 'object:type':
      return `object:type=${part.type}`;
    case 'sparse:oid':
      return `sparse:oid=${part.name}`;
  }
}

export function percentEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => (/[a-z0-9]/i.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hex(byte)))
    .join('');
}

function hex(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`;
}
