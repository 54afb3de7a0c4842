import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { builtInEntries } from './built-in.ts';
import { createCatalogue } from './catalogue.ts';
import { checkEntry } from './check-entry.ts';
import type { BuiltInCategory, BuiltInEntry } from './entry.ts';

const root = new URL('../../../../', import.meta.url);
const specified: unknown = JSON.parse(readFileSync(new URL('docs/specification/error-catalogue.json', root), 'utf8'));
const howTo = 'run node packages/problem-details/scripts/write-catalogue.ts';

const codes = builtInEntries.map((entry) => entry.code);

/** Expands `502, 504, 520 to 524` to codes; a range means its codes that the catalogue has. */
const listed = (text: string): number[] =>
  text.split(', ').flatMap((part) => {
    const [first = 0, last = first] = part.split(' to ').map(Number);
    return codes.filter((code) => code >= first && code <= last);
  });

const codesOf = (matches: (entry: BuiltInEntry) => boolean): number[] =>
  builtInEntries.filter(matches).map((entry) => entry.code);

describe('ERR-009: the built-in catalogue', () => {
  it('is exactly the 72 entries of the specification, member by member', () => {
    expect(builtInEntries, howTo).toHaveLength(72);
    expect(JSON.stringify(builtInEntries), howTo).toBe(JSON.stringify(specified));
  });

  it('is the content of a catalogue without own codes', () => {
    expect(createCatalogue().entries).toEqual(specified);
    expect(builtInEntries.filter((entry) => entry.category === 'platform').map((entry) => entry.code)).toEqual([500]);
  });

  it('has the codes and names of the types', () => {
    const source = readFileSync(new URL('built-in-codes.ts', import.meta.url), 'utf8');
    const [, ofCodes = '', ofNames = ''] = source.split(/export type \w+ =/);
    const literals = (text: string): string[] => [...text.matchAll(/\| '?(\w+)'?/g)].map(([, literal = '']) => literal);
    expect(literals(ofCodes), howTo).toEqual(codes.map(String));
    expect(literals(ofNames), howTo).toEqual(builtInEntries.map((entry) => entry.error_name));
  });
});

describe('an entry of the built-in catalogue', () => {
  it('ERR-010: has a unique code, and a unique name of words joined by _', () => {
    expect(new Set(codes).size).toBe(72);
    expect(new Set(builtInEntries.map((entry) => entry.error_name)).size).toBe(72);
    for (const { error_name } of builtInEntries) expect(error_name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
  });

  it('ERR-011: has a status of 400 to 599, equal to the code below 1000', () => {
    for (const { code, http_status } of builtInEntries) {
      expect(http_status >= 400 && http_status <= 599, String(code)).toBe(true);
      if (code < 1000) expect(http_status).toBe(code);
    }
  });

  it('ERR-012: has a wait if and only if retryable, and asks the owner to act if and only if responsible', () => {
    for (const entry of builtInEntries) {
      expect('retry_after' in entry, String(entry.code)).toBe(entry.retryable);
      expect(entry.owner_action_required, String(entry.code)).toBe(entry.responsible === 'owner');
    }
  });

  it('ERR-013: has one line of plain text as its detail, a sentence or two', () => {
    for (const { code, detail } of builtInEntries) expect(detail, String(code)).toMatch(/^[A-Z][^\n*`<[\]#]+\.$/);
  });

  it('ERR-014: has guidance that begins with the directive and uses no other markup', () => {
    for (const { code, retryable, what_you_should_do } of builtInEntries) {
      const directive = retryable ? '**Wait and retry.** ' : '**Do not retry.** ';
      expect(what_you_should_do.startsWith(directive), String(code)).toBe(true);
      expect(what_you_should_do.slice(directive.length), String(code)).toMatch(/^[A-Z][^\n*`<[\]#]+\.$/);
    }
  });

  it('ERR-015: has no text with addresses, placeholders or other variable parts', () => {
    for (const { code, short_name, detail, what_you_should_do } of builtInEntries)
      for (const text of [short_name, detail, what_you_should_do])
        expect(text, String(code)).not.toMatch(/\d{2}|[{}@/\\$%|=]|::|\bat \w+\.|[^\x20-\x7E]/);
  });

  it('ERR-010 to ERR-015: follows the rules for own codes', () => {
    for (const entry of builtInEntries) expect(checkEntry(entry), String(entry.code)).toBeUndefined();
  });
});

describe('a category of the built-in catalogue', () => {
  const none: number[] = [];
  const rows: readonly [id: string, category: BuiltInCategory, codes: string, retryable: 'all' | number[]][] = [
    ['ERR-016', 'origin', '502, 504, 520 to 524', 'all'],
    ['ERR-017', 'platform', '500', 'all'],
    ['ERR-018', 'ssl', '525, 526', none],
    ['ERR-019', 'access_denied', '1003, 1005 to 1012, 1020, 1034, 1106 to 1109', none],
    ['ERR-020', 'rate_limit', '1015, 1025, 1027, 1200', [1015, 1200]],
    ['ERR-021', 'dns', '1000, 1001, 1002, 1016', none],
    ['ERR-022', 'config', '1004, 1014, 1018, 1023, 1033, 1038, 1043, 1047, 1049', [1004, 1033, 1038]],
    ['ERR-023', 'tls', '1013, 1017, 1028, 1029, 1044', none],
    ['ERR-024', 'legal', '1026, 1039', none],
    ['ERR-025', 'worker', '1019, 1021, 1022, 1024, 1042, 1100 to 1105', none],
    ['ERR-026', 'rewrite', '1035, 1036, 1037, 1040, 1041', none],
    ['ERR-027', 'snippet', '1201 to 1206', [1205]],
    ['ERR-028', 'unsupported', '1045', none],
  ];

  it.each(rows)('%s: %s has the codes %s', (_id, category, text, retryable) => {
    expect(codesOf((entry) => entry.category === category)).toEqual(listed(text));
    expect(codesOf((entry) => entry.category === category && entry.retryable)).toEqual(
      retryable === 'all' ? listed(text) : retryable,
    );
  });

  it('is one of these', () => {
    expect(rows.flatMap(([, , text]) => listed(text)).toSorted((one, other) => one - other)).toEqual(codes);
  });
});

describe('the default wait', () => {
  const rows: readonly [id: string, seconds: number, codes: string][] = [
    ['ERR-029', 5, '1205'],
    ['ERR-030', 30, '500, 1015'],
    ['ERR-031', 60, '502, 520, 1038, 1200'],
    ['ERR-032', 120, '504, 521, 522, 523, 524, 1004, 1033'],
  ];

  it.each(rows)('%s: is %d s for %s', (_id, seconds, text) => {
    expect(codesOf((entry) => entry.retry_after === seconds)).toEqual(listed(text));
  });

  it('ERR-033: does not exist for all others, including 525 and 526, which are not retryable', () => {
    const waiting = rows.flatMap(([, , text]) => listed(text));
    expect(waiting).toHaveLength(14);
    for (const entry of builtInEntries.filter(({ code }) => !waiting.includes(code))) {
      expect(entry.retryable, String(entry.code)).toBe(false);
      expect(entry, String(entry.code)).not.toHaveProperty('retry_after');
    }
    expect(codesOf((entry) => !entry.retryable)).toEqual(expect.arrayContaining([525, 526]));
  });
});
