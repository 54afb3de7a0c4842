import { fc, it as property } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { describe, expect, it } from 'vitest';
import { RequestRefusedError } from '../wire/request-error.ts';
import { stockGit } from '../pack/stock-git.test.util.ts';
import type { FilterPart } from './filter-spec.ts';
import { formatFilter, percentEncoded } from './format-filter.test.util.ts';
import { parseFilter } from './parse-filter.ts';

const parts: fc.Arbitrary<FilterPart> = fc.oneof(
  fc.constant({ kind: 'blob:none' as const }),
  fc.record({ kind: fc.constant('blob:limit' as const), bytes: fc.maxSafeNat() }),
  fc.record({ kind: fc.constant('tree' as const), depth: fc.maxSafeNat() }),
  fc.record({
    kind: fc.constant('object:type' as const),
    type: fc.constantFrom('blob' as const, 'tree' as const, 'commit' as const, 'tag' as const),
  }),
  fc.record({
    kind: fc.constant('sparse:oid' as const),
    name: fc.string({ minLength: 1, maxLength: 30, unit: 'binary' }).filter((name) => !name.includes('\0')),
  }),
);

const refusal = (text: string): string | undefined => {
  try {
    parseFilter(text);
    return undefined;
  } catch (error) {
    if (error instanceof RequestRefusedError) return error.text;
    throw error;
  }
};
const nested = (text: string, times: number): string =>
  times === 0 ? text : nested(`combine:${percentEncoded(text)}`, times - 1);

describe('a filter', () => {
  property.prop([fc.array(parts, { minLength: 1, maxLength: 5 })])(
    'GIT-080 to GIT-084: what was formatted is read as what it was',
    (list) => {
      expect(parseFilter(formatFilter(list))).toEqual({ text: formatFilter(list), parts: list });
    },
  );

  it.each([
    ['blob:limit=0', 0],
    ['blob:limit=7', 7],
    ['blob:limit=1k', 1024],
    ['blob:limit=3M', 3 * 1024 ** 2],
    ['blob:limit=2g', 2 * 1024 ** 3],
    ['blob:limit=18446744073709551615', Number.MAX_SAFE_INTEGER],
  ])('GIT-080: %s', (text, bytes) => {
    expect(parseFilter(text).parts).toEqual([{ kind: 'blob:limit', bytes }]);
  });

  it.each([
    ['tree:2', 2],
    ['tree:2k', 2048],
    ['tree:1G', 1024 ** 3],
  ])('GIT-081: %s', (text, depth) => {
    expect(parseFilter(text).parts).toEqual([{ kind: 'tree', depth }]);
  });

  it('GIT-084: parts within parts are taken apart', () => {
    expect(parseFilter(`combine:tree:3+${percentEncoded('combine:blob:none+object:type=tree')}`).parts).toEqual([
      { kind: 'tree', depth: 3 },
      { kind: 'blob:none' },
      { kind: 'object:type', type: 'tree' },
    ]);
    expect(parseFilter('combine:sparse:oid=main:%C3%A4%20b').parts).toEqual([
      { kind: 'sparse:oid', name: 'main:\u00e4 b' },
    ]);
  });

  it.each([
    '',
    'blob',
    'blob:some',
    'Blob:none',
    ' blob:none',
    'blob:none ',
    'blob:limit=',
    'blob:limit=k',
    'blob:limit=-1',
    'blob:limit=1kk',
    'blob:limit=1t',
    'blob:limit=1.5',
    'blob:limit=0x10',
    'blob:limit=010',
    'blob:limit=18446744073709551616',
    'blob:limit=18446744073709551615k',
    'blob:limit=1\n',
    'tree:',
    'tree:-1',
    'tree:x',
    'tree:1\n',
    'object:type=',
    'object:type=Blob',
    'object:type=toString',
    'sparse:oid=',
    'sparse:oid=a\0b',
    'combine:',
    'combine:blob:none+',
    'combine:+blob:none',
    'combine:blob:none+nonsense',
    'combine:blob:none+tree:1%',
    'combine:blob:none+tree%zz1',
    'combine:blob:none+sparse:oid=a b',
    'combine:blob:none+sparse:oid=%00',
    'combine:blob:none+sparse:oid=%ff',
    'combine:blob%253Anone',
    'auto',
  ])('GIT-085: refuses the filter %j', (text) => {
    const shown = text.replaceAll('\0', '?').replaceAll('\n', '?');
    expect(refusal(text)).toBe(`invalid filter-spec '${shown}'`);
  });

  it('GIT-083: sparse:path says that it is gone', () => {
    const text = 'sparse:path filters support has been dropped';
    expect(refusal('sparse:path=patterns')).toBe(text);
    expect(refusal('combine:blob:none+sparse:path=x')).toBe(text);
  });

  it('GIT-085: length, parts and nesting have bounds', () => {
    const many = (count: number): string => `combine:${Array.from({ length: count }, () => 'blob:none').join('+')}`;
    expect(refusal(many(64))).toBeUndefined();
    expect(refusal(many(65))).toBeDefined();
    expect(refusal(nested('blob:none', 8))).toBeUndefined();
    expect(refusal(nested('blob:none', 9))).toBeDefined();
    const long = `sparse:oid=${'x'.repeat(8192 - 11)}`;
    expect(refusal(long)).toBeUndefined();
    expect(refusal(`${long}x`)).toBe(`invalid filter-spec '${long}x'`.replace(/^(.*?')(.{8192}).*/, "$1$2...'"));
  });

  property.prop([fc.string({ unit: 'binary', maxLength: 40 })])(
    'GIT-085: any text is read or refused, nothing else',
    (text) => {
      for (const spec of [text, `combine:${text}`, `blob:limit=${text}`]) refusal(spec);
    },
  );
});

describe('a filter and stock git', () => {
  const spec = fc.oneof(
    fc
      .array(
        parts.filter(({ kind }) => kind !== 'sparse:oid'),
        { minLength: 1, maxLength: 3 },
      )
      .map(formatFilter),
    fc
      .array(
        fc.constantFrom('blob:none', 'blob:limit=1k', 'tree:2', 'object:type=tag', 'nonsense', '%', '+', ':', 'k'),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .chain((words) => fc.constantFrom(words.join('+'), `combine:${words.join('+')}`, words.join(''))),
  );
  property.prop([fc.array(spec, { minLength: 8, maxLength: 8 })], { numRuns: runs(12) })(
    'GIT-085: the two agree what a filter is',
    (specs) => {
      const git = stockGit();
      try {
        for (const text of specs) {
          let taken = true;
          try {
            git.run(['rev-list', '--objects', '--all', `--filter=${text}`]);
          } catch {
            taken = false;
          }
          expect([text, refusal(text) === undefined]).toEqual([text, taken]);
        }
      } finally {
        git.remove();
      }
    },
  );
});
