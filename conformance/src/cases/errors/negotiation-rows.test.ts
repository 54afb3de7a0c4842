import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { negotiated } from './negotiation-oracle.ts';
import { negotiationRows } from './negotiation-rows.ts';

const specification = readFileSync(new URL('../../../../docs/specification/errors.md', import.meta.url), 'utf8');
const specified = new Map(
  [...specification.matchAll(/^\| (NEG-\d{3}) \| MUST \| (.*) \| `([a-z/+]+)`( \(beyond\))? \|$/gm)].map(
    ([, id, accept, type, beyond]) => [id, { accept: String(accept), type, beyond: beyond !== undefined }],
  ),
);

describe('the rows of negotiation', () => {
  it('are those of the specification, with its types and marks', () => {
    // No header, and two header lines: ordinary requests cannot send them.
    const ids = [...specified.keys()].filter((id) => id !== 'NEG-011' && id !== 'NEG-049');
    expect(ids.length).toBeGreaterThan(40);
    expect(negotiationRows.map(({ id }) => id)).toEqual(ids);
    for (const { id, type, beyond = false } of negotiationRows) {
      expect({ id, type, beyond }).toEqual({ id, type: specified.get(id)?.type, beyond: specified.get(id)?.beyond });
    }
  });

  it('have the headers that the specification writes out', () => {
    for (const { id, accept } of negotiationRows) {
      const written = [...(specified.get(id)?.accept ?? '').matchAll(/`([^`]+)`/g)].map(([, text]) => text);
      // The specification describes these in words.
      if (['NEG-050', 'NEG-053', 'NEG-055', 'NEG-056'].includes(id)) continue;
      expect({ id, accept }).toEqual({ id, accept: written });
    }
  });

  it.each(negotiationRows)('$id: the oracle says so too', ({ accept, type }) => {
    for (const header of accept) expect(`${header} -> ${negotiated(header)}`).toBe(`${header} -> ${type}`);
  });
});

describe('the oracle of negotiation', () => {
  it('NEG-011: answers no header with HTML', () => {
    expect(negotiated(null)).toBe('text/html');
  });

  it.each([
    [8192, 'application/json'],
    [8193, 'text/html'],
  ])('NEG-007: takes an element that ends at the %i-th character, or does not', (end, type) => {
    const last = ',application/json';
    const header = 'x'.repeat(end - last.length) + last;
    expect(negotiated(header)).toBe(type);
    expect(negotiated(`${header},text/markdown`)).toBe(type);
  });
});
