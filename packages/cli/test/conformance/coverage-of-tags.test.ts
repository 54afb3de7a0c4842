import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cases } from '@packhouse/conformance';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');

/** A requirement, or a part of one, that requests alone cannot check, and the test that checks it. */
interface Elsewhere {
  readonly id: string;
  readonly why: string;
  /** The file whose test names the requirement. */
  readonly file: string;
}

/** Requirements that no case names. */
const elsewhere: readonly Elsewhere[] = [
  {
    id: 'TAG-020',
    why: 'the port that takes other credentials is one of an app with tagging in it',
    file: 'packages/tagging/src/http/standalone.test.ts',
  },
  {
    id: 'TAG-092',
    why: 'what a query costs is counted in steps, not seen from outside',
    file: 'packages/tag-filter/src/wire/parse-tag-filters.test.ts',
  },
];

/** Requirements that cases check only in part. */
const inPart: readonly Elsewhere[] = [
  {
    id: 'TAG-053',
    why: 'a clock that stands still is one of a test',
    file: 'packages/tagging/src/contract/tag-store.ts',
  },
  {
    id: 'TAG-054',
    why: 'types but for those built in have directories in apps alone',
    file: 'packages/tagging/src/resources/set-tags.test.ts',
  },
  {
    id: 'TAG-069',
    why: 'a host tells of new names over the port',
    file: 'packages/tagging/src/resources/host-notices.test.ts',
  },
  { id: 'TAG-080', why: '24 hours are too long', file: 'packages/tagging/src/contract/tag-store.ts' },
  { id: 'TAG-080', why: 'a server is started again', file: 'packages/server/test/tags/open-service.test.ts' },
  { id: 'TAG-080', why: 'workerd is started again', file: 'packages/workers/test/tags.runtimes.test.ts' },
  {
    id: 'TAG-142',
    why: 'an account is above its limit only after that was lowered',
    file: 'packages/tagging/src/contract/tag-store.ts',
  },
  {
    id: 'TAG-171',
    why: 'it takes several processes at one database',
    file: 'packages/server/test/tags/simultaneous.long.test.ts',
  },
];

const rows = [...read('docs/specification/tagging.md').matchAll(/^\| (TAG-\d{3}) \|/gm)].map(([, id]) => String(id));
const inCases = new Set(cases.flatMap(({ requirements }) => requirements));

/** Returns true if a file names a requirement in the title of a test. */
function names(path: string, id: string): boolean {
  return new RegExp(`(?:\\b(?:it|describe|prop)\\b[^'"\`;]*|^\\s*)['"\`][^'"\`]*${id}[^'"\`]*['"\`],`, 'm').test(
    read(path),
  );
}

const levels = ['MAY', 'SHOULD', 'MUST'];

describe('every case of tagging', () => {
  /** The level, and whether it is (beyond), by id. */
  const marks = new Map(
    [...read('docs/specification/tagging.md').matchAll(/^\| (TAG-\d{3}) \| (MUST|SHOULD|MAY) \|(.*)$/gm)].map(
      ([, id, level, text]) => [String(id), { level: String(level), beyond: String(text).includes('(beyond)') }],
    ),
  );
  const ofTags = cases.flatMap(({ requirements, ...one }) => {
    const claimed = requirements.flatMap((id) => marks.get(id) ?? []);
    return one.id.startsWith('tags/') && claimed.length > 0 ? [{ ...one, claimed }] : [];
  });

  it('has the strongest level of its requirements', () => {
    const strongest = (of: (typeof ofTags)[number]): string | undefined =>
      levels.findLast((level) => of.claimed.some((row) => row.level === level));
    expect(ofTags.filter((one) => one.level !== strongest(one)).map(({ id }) => id)).toEqual([]);
  });

  it('is beyond if a requirement is, unless the public service is never asked', () => {
    const asked = ofTags.filter(({ beyond, needs }) => beyond !== true && needs?.includes('settings') !== true);
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter(({ claimed }) => claimed.some(({ beyond }) => beyond)).map(({ id }) => id)).toEqual([]);
  });
});

describe('every requirement on tagging', () => {
  it('is named by a case of the suite, or shown elsewhere for a reason', () => {
    expect(rows.length).toBe(183);
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
