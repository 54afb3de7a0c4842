import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cases } from '@packhouse/conformance';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../../../', import.meta.url);

/** Reads a file of the repository. */
export const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');

/** A requirement, or a part of one, that no case checks, and a test that does. */
export interface Elsewhere {
  readonly id: string;
  readonly why: string;
  /** The file whose test names the requirement in its title. */
  readonly file: string;
}

export interface CoveredRows {
  /** The document, such as `docs/specification/binding.md`. */
  readonly document: string;
  /** The prefixes of its ids. */
  readonly areas: readonly string[];
  /** The number of rows, so that none is overlooked. */
  readonly count: number;
  /** Requirements that no case names. */
  readonly elsewhere: readonly Elsewhere[];
  /** Requirements that cases check only in part. Default: none. */
  readonly inPart?: readonly Elsewhere[];
}

/** Demands, for each row of a document, a case of the suite, or a test with a reason. */
export function testCoverage({ document, areas, count, elsewhere, inPart = [] }: CoveredRows): void {
  const form = new RegExp(`^\\| ((?:${areas.join('|')})-\\d{3}) \\| (?!WITHDRAWN)`, 'gm');
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

/** Returns true if a file names a requirement in the title of a test, or of a table's case. */
function names(path: string, id: string): boolean {
  const before = /(?:\b(?:it|describe|prop)\b[^'"`;]*|^\s*|\]\)\()/.source;
  return new RegExp(`${before}['"\`][^'"\`]*${id}[^'"\`]*['"\`],`, 'm').test(read(path));
}
