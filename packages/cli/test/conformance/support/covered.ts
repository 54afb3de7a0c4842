import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cases } from '@packhouse/conformance';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../../../', import.meta.url);

/** The text of a file of the repository. */
export const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');

/** A requirement, or a part of one, that no case shows, and a test that does. */
export interface Elsewhere {
  readonly id: string;
  readonly why: string;
  /** Names the requirement in the title of a test. */
  readonly file: string;
}

export interface CoveredRows {
  /** Such as `docs/specification/binding.md`. */
  readonly document: string;
  /** What its ids begin with. */
  readonly areas: readonly string[];
  /** How many rows it has, so that none is overlooked. */
  readonly count: number;
  /** No case names these. */
  readonly elsewhere: readonly Elsewhere[];
  /** Cases show a part of these. Default: none. */
  readonly inPart?: readonly Elsewhere[];
}

/** Holds each row of a document to a case of the suite, or to a test for a reason given. */
export function testCoverage({ document, areas, count, elsewhere, inPart = [] }: CoveredRows): void {
  const form = new RegExp(`^\\| ((?:${areas.join('|')})-\\d{3}) \\|`, 'gm');
  const rows = [...read(document).matchAll(form)].map(([, id]) => String(id));
  const inCases = new Set(cases.flatMap(({ requirements }) => requirements));

  describe(`every requirement of ${document}`, () => {
    it('is named by a case of the suite, or shown elsewhere for a reason', () => {
      expect(rows.length).toBe(count);
      const known = new Set([...inCases, ...elsewhere.map(({ id }) => id)]);
      expect(rows.filter((id) => !known.has(id))).toEqual([]);
    });

    it('is shown elsewhere only if no case names it, and in part only if one does', () => {
      expect(elsewhere.filter(({ id }) => inCases.has(id)).map(({ id }) => id)).toEqual([]);
      expect(inPart.filter(({ id }) => !inCases.has(id)).map(({ id }) => id)).toEqual([]);
      expect([...elsewhere, ...inPart].filter(({ id }) => !rows.includes(id)).map(({ id }) => id)).toEqual([]);
    });

    it.each([...elsewhere, ...inPart])('$id is shown in $file, since $why', ({ id, file }) => {
      expect(existsSync(new URL(file, root)), file).toBe(true);
      expect(names(file, id), `${file} names ${id} in a test`).toBe(true);
    });
  });
}

/** Whether a file names a requirement in the title of a test, be it one of a table. */
function names(path: string, id: string): boolean {
  const before = /(?:\b(?:it|describe|prop)\b[^'"`;]*|^\s*|\]\)\()/.source;
  return new RegExp(`${before}['"\`][^'"\`]*${id}[^'"\`]*['"\`],`, 'm').test(read(path));
}
