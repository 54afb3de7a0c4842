import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cases } from '@packhouse/conformance';
import { describe, expect, it } from 'vitest';
import { documents } from './elsewhere/documents.ts';
import { onEachRuntime } from './elsewhere/git.ts';
import { coveragePage, rowsOf } from './elsewhere/page.ts';

const root = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, root)), 'utf8');
const inCases = new Set(cases.flatMap(({ requirements }) => requirements));

describe.each(documents)('every requirement of $document', ({ document, areas, count, elsewhere }) => {
  const rows = rowsOf({ document, areas }).map(({ id }) => id);

  it('is named by a case of the suite, or shown elsewhere for a reason', () => {
    expect(rows.length).toBe(count);
    const known = new Set([...inCases, ...elsewhere.map(({ id }) => id)]);
    expect(rows.filter((id) => !known.has(id))).toEqual([]);
  });

  it('is shown elsewhere only if no case names it, and in part only if one does', () => {
    expect(elsewhere.filter(({ id, inPart = false }) => inCases.has(id) !== inPart).map(({ id }) => id)).toEqual([]);
    expect(elsewhere.filter(({ id }) => !rows.includes(id)).map(({ id }) => id)).toEqual([]);
  });

  it.each(elsewhere)('$id is shown in $file, since $why', ({ id, file }) => {
    expect(existsSync(new URL(file, root)), file).toBe(true);
    expect(names(file, id), `${file} names ${id} in a test`).toBe(true);
  });
});

/** Returns true if a file names a requirement in the title of a test, or in that of a case of a table. */
function names(path: string, id: string): boolean {
  return read(path)
    .split('\n')
    .some((line) => !/^\s*(?:\/?\*|\/\/)/.test(line) && new RegExp(`['"\`][^'"\`]*${id}`).test(line));
}

it('docs/coverage.md is what write-coverage.ts makes', () => {
  // The formatter aligns the columns of tables.
  const bare = (text: string): string => text.replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---');
  expect(bare(read('docs/coverage.md'))).toBe(bare(coveragePage(documents)));
});

describe('what tests show of Git', () => {
  it.each(onEachRuntime)('$id runs on Node, Deno, Bun and workerd, since $why', ({ id, named, server, workerd }) => {
    const files = workerd === undefined ? [server] : [server, workerd];
    for (const path of [...named, ...files]) expect(existsSync(new URL(path, root)), path).toBe(true);
    for (const path of named) expect(names(path, id), `${path} names ${id} in a test`).toBe(true);
    for (const path of files) {
      const contract = named.find((one) => one.includes('/contract/'));
      const run = /export function (\w+)\(/.exec(contract === undefined ? '' : read(contract))?.[1];
      if (run === undefined) expect(named, `${path} names it itself`).toContain(path);
      else expect(read(path)).toMatch(new RegExp(`^${run}\\(`, 'm'));
    }
    expect(read('packages/cli/test/suites.runtimes.test.ts'), `${server} runs on Deno and Bun`).toContain(
      `'${server}'`,
    );
  });
});

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

describe('the cases of the binding', () => {
  it.each(['memory', 'node', 'deno.runtimes', 'bun.runtimes', 'workerd.runtimes'])(
    'BIND-022, REPO-010: run through %s',
    (form) => {
      expect(read(`packages/cli/test/conformance/binding/${form}.test.ts`)).toMatch(/^testBinding\(/m);
    },
  );
});

describe('the whole suite', () => {
  it.each(['node', 'memory.runtimes', 'deno.runtimes', 'bun.runtimes', 'workerd.runtimes'])(
    'REPO-010: runs on %s',
    (runtime) => {
      expect(read(`packages/cli/test/conformance/${runtime}.test.ts`)).toMatch(/^testRuntime\(/m);
    },
  );
});
