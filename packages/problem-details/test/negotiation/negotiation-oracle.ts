import { maxCharacters, maxElements } from '../../src/negotiation/weighted-list.ts';

/** An element of a weighted list that NEG-002 and NEG-003 keep. */
export interface OracleElement {
  readonly range: string;
  /** Digits of the weight without the point, padded with zeros, so that texts compare like the numbers. */
  readonly weight: string;
}

const legalWeight = /^(?:0(?:\.[0-9]*)?|1(?:\.0*)?)$/;
const trimmed = (text: string): string => text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');

/** Returns the digits of a weight, or undefined if it is malformed. */
const weightOf = (parameters: readonly string[]): string | undefined => {
  const parameter = parameters.find((one) => /^q(?:=|$)/i.test(one));
  const weight = parameter === undefined ? '1' : parameter.slice(2);
  return legalWeight.test(weight) ? weight.replace('.', '').padEnd(maxCharacters + 1, '0') : undefined;
};

/** Parses a weighted list step by step, as the specification describes it, with copies of everything. */
export const oracleElements = (header: string): OracleElement[] => {
  const characters = [...header];
  // NEG-002: a quoted text does not separate elements, so mask it first.
  const masked = characters
    .slice(0, maxCharacters)
    .join('')
    .replaceAll(/"(?:[^"\\]|\\[^])*"/gu, (quoted) => '\u0000'.repeat([...quoted].length));
  const [closed = '', ...unclosed] = masked.split('"');
  const elements = closed.split(',');
  // Drops an element that the end of the text or a limit cuts off (NEG-007).
  const next = characters[maxCharacters];
  if (unclosed.length > 0 || (next !== undefined && next !== ',')) elements.pop();
  return elements
    .map(trimmed)
    .filter((element) => element !== '')
    .slice(0, maxElements)
    .flatMap((element) => {
      const [range = '', ...parameters] = element.split(';').map(trimmed);
      const weight = weightOf(parameters);
      return weight === undefined ? [] : [{ range: range.toLowerCase(), weight }];
    });
};

/** Performs steps 3 to 6 of the negotiation as NEG-003 to NEG-006 describe them. */
export const oracleNegotiate = (header: string): string => {
  const kept = oracleElements(header).filter(({ range }) => {
    const [, type = '', subtype = ''] = /^([!#$%&'*+.^_`|~0-9a-z-]+)\/([!#$%&'*+.^_`|~0-9a-z-]+)$/u.exec(range) ?? [];
    return type !== '' && (type !== '*' || subtype === '*');
  });
  const named = new Set(kept.map(({ range }) => range));
  const covered = (type: string): boolean => named.has(type) || named.has(`${type.split('/')[0]}/*`);
  const typeOf = (range: string): string | undefined => {
    if (range === 'text/*') return ['text/markdown', 'text/html'].find((type) => !named.has(type));
    if (range === 'application/*') {
      return ['application/json', 'application/problem+json'].find((type) => !named.has(type));
    }
    if (range === '*/*') return ['text/html', 'application/json', 'text/markdown'].find((type) => !covered(type));
    if (range === 'application/xhtml+xml') return 'text/html';
    return ['application/json', 'application/problem+json', 'text/markdown', 'text/html'].find(
      (type) => type === range,
    );
  };
  const candidates = kept
    .filter(({ weight }) => /[1-9]/.test(weight))
    .flatMap(({ range, weight }) => {
      const type = typeOf(range);
      return type === undefined ? [] : [{ type, weight }];
    });
  // Sorting is stable: the first of equal weights stays first.
  candidates.sort((a, b) => Number(a.weight < b.weight) - Number(a.weight > b.weight));
  return candidates[0]?.type ?? 'text/html';
};
