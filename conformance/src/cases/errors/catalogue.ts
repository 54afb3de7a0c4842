import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import { dice } from '../../tools/dice.ts';
import { same } from '../../tools/same.ts';
import { bySource } from './by-source.ts';
import { entries } from './catalogue-entries.ts';
import { jsonOf, zoneName } from './json.ts';
import { askFor, forEach, mediaTypes, routeOf } from './replies.ts';

/** Expands ranges such as `1005-1012`. */
function codesOf(...ranges: readonly (number | string)[]): readonly number[] {
  return ranges.flatMap((range) => {
    const [first = 0, last = first] = String(range).split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

interface CategoryRow {
  readonly id: string;
  readonly category: string;
  readonly codes: readonly number[];
  readonly retryable: readonly number[];
}

const origin = codesOf(502, 504, '520-524');

/** ERR-016 to ERR-028, copied from the specification and not from the catalogue. */
const categories: readonly CategoryRow[] = [
  { id: 'ERR-016', category: 'origin', codes: origin, retryable: origin },
  { id: 'ERR-017', category: 'platform', codes: [500], retryable: [500] },
  { id: 'ERR-018', category: 'ssl', codes: [525, 526], retryable: [] },
  {
    id: 'ERR-019',
    category: 'access_denied',
    codes: codesOf(1003, '1005-1012', 1020, 1034, '1106-1109'),
    retryable: [],
  },
  { id: 'ERR-020', category: 'rate_limit', codes: [1015, 1025, 1027, 1200], retryable: [1015, 1200] },
  { id: 'ERR-021', category: 'dns', codes: [1000, 1001, 1002, 1016], retryable: [] },
  {
    id: 'ERR-022',
    category: 'config',
    codes: [1004, 1014, 1018, 1023, 1033, 1038, 1043, 1047, 1049],
    retryable: [1004, 1033, 1038],
  },
  { id: 'ERR-023', category: 'tls', codes: [1013, 1017, 1028, 1029, 1044], retryable: [] },
  { id: 'ERR-024', category: 'legal', codes: [1026, 1039], retryable: [] },
  { id: 'ERR-025', category: 'worker', codes: codesOf(1019, 1021, 1022, 1024, 1042, '1100-1105'), retryable: [] },
  { id: 'ERR-026', category: 'rewrite', codes: codesOf('1035-1037', 1040, 1041), retryable: [] },
  { id: 'ERR-027', category: 'snippet', codes: codesOf('1201-1206'), retryable: [1205] },
  { id: 'ERR-028', category: 'unsupported', codes: [1045], retryable: [] },
];

/** ERR-029 to ERR-032: default seconds, and their codes. */
const waits: readonly (readonly [id: string, seconds: number, codes: readonly number[]])[] = [
  ['ERR-029', 5, [1205]],
  ['ERR-030', 30, [500, 1015]],
  ['ERR-031', 60, [502, 520, 1038, 1200]],
  ['ERR-032', 120, [504, 521, 522, 523, 524, 1004, 1033]],
];

export const errorsCatalogue: Suite = suite(
  ...bySource({
    id: 'errors/catalogue/facts',
    requirements: ['ERR-001', 'ERR-009', 'ERR-011'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Each code has its status, name and category.',
    run: async (t, codes) => {
      await forEach(codes, async (entry) => {
        const { reply, members } = await jsonOf(t, entry);
        const category = entry.category === 'platform' ? t.dialect.platformErrors.ownCategory : entry.category;
        same(
          [reply.status, members['error_code'], members['error_name'], members['error_category']],
          [entry.http_status, entry.code, entry.error_name, category],
          `${entry.code}: expected status, code, name and category of the catalogue`,
        );
      });
    },
  }),
  {
    id: 'errors/catalogue/texts',
    requirements: ['ERR-009', 'ERR-013', 'ERR-014', 'ERR-015', 'ERR-037', 'ERR-039', 'ERR-051'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Title, detail and guidance are those of the catalogue, the same for every occurrence.',
    run: async (t) => {
      await forEach(entries, async (entry) => {
        const { members } = await jsonOf(t, entry);
        same(
          [members['title'], members['detail'], members['what_you_should_do']],
          [`Error ${entry.code}: ${entry.short_name}`, entry.detail, entry.what_you_should_do],
          `${entry.code}: expected the texts of the catalogue`,
        );
        assert.doesNotMatch(entry.detail, /[\r\n]|\*\*/, `${entry.code}: expected one line of plain text`);
        const directive = entry.retryable ? '**Wait and retry.** ' : '**Do not retry.** ';
        assert.ok(entry.what_you_should_do.startsWith(directive), `${entry.code}: expected the directive first`);
      });
    },
  },
  {
    id: 'errors/catalogue/tables',
    requirements: [...categories.map(({ id }) => id), ...waits.map(([id]) => id), 'ERR-012', 'ERR-033'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Each category has its codes, and each retryable code its seconds to wait.',
    run: async (t) => {
      const shown = new Map(
        await forEach(entries, async (entry) => [entry.code, (await jsonOf(t, entry)).members] as const),
      );
      for (const { id, category, codes: its, retryable } of categories) {
        const expected = category === 'platform' ? t.dialect.platformErrors.ownCategory : category;
        const found = [...shown].filter(([, members]) => members['error_category'] === expected);
        same(
          found.map(([code]) => code),
          its,
          `${id}: expected these codes in ${expected}`,
        );
        const retried = found.filter(([, members]) => members['retryable'] === true).map(([code]) => code);
        same(retried, retryable, `${id}: expected these codes of ${expected} to be retryable`);
      }
      for (const [code, members] of shown) {
        const wait = waits.find(([, , its]) => its.includes(code))?.[1];
        same(
          [members['retryable'], members['retry_after']],
          [wait !== undefined, wait],
          `${code}: expected these seconds to wait`,
        );
      }
    },
  },
  {
    id: 'errors/catalogue/names',
    requirements: ['ERR-010', 'ERR-012'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'Codes and names are unique, names are lower-case words, and who has to act is told alike.',
    run: async (t) => {
      const shown = await forEach(entries, async (entry) => {
        const { members } = await jsonOf(t, entry);
        assert.match(String(members['error_name']), /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, `${entry.code}: expected a name`);
        assert.equal(
          members['owner_action_required'],
          entry.responsible === 'owner',
          `${entry.code}: expected the owner to be asked to act if, and only if, the owner is responsible`,
        );
        return members;
      });
      for (const name of ['error_code', 'error_name'] as const) {
        assert.equal(new Set(shown.map((one) => one[name])).size, entries.length, `expected each ${name} once`);
      }
    },
  },
  {
    id: 'errors/catalogue/no-platform-names',
    requirements: ['REPO-003', 'ERR-003', 'ERR-006', 'ERR-007'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'The neutral dialect names no platform, in no format and no header of any code.',
    run: async (t) => {
      if (t.dialect.name !== 'neutral') t.skip('only the neutral dialect names no platform');
      await forEach(entries, async ({ code }) => {
        const type = mediaTypes[code % mediaTypes.length] ?? 'text/html';
        const { headers, text } = await askFor(t, routeOf(code), type);
        // Random digits may spell such a name, and so may the name of the zone.
        const shown = `${JSON.stringify([...headers])}${text}`.replace(/\b[0-9a-f]{16}\b/g, '');
        const [found] = /.{0,40}(?:cloudflare|\bcf-).{0,40}/i.exec(shown.replaceAll(zoneName(t), '')) ?? [];
        assert.equal(found, undefined, `${code} as ${type}: expected no name of a platform`);
      });
    },
  },
  {
    id: 'errors/catalogue/no-others',
    requirements: ['ERR-009', 'ERR-094'],
    level: 'MUST',
    readOnly: true,
    needs: ['zone'],
    explanation: 'The codes below 2,000 are those of the catalogue and no others.',
    run: async (t) => {
      const built = new Set(entries.map(({ code }) => code));
      const near = [100, 404, 429, 499, 501, 503, 505, 519, 527, 530, 999, 1030, 1046, 1048, 1110, 1207, 1999, 9999];
      const random = dice(t.seed);
      const others = [...near, ...Array.from({ length: 40 }, () => 100 + random.below(1900))];
      await forEach(
        others.filter((code) => !built.has(code)),
        async (code) => {
          const reply = await askFor(t, routeOf(code), 'application/json');
          assert.equal(reply.status, 404, `${code}: expected 404, since it is not in the catalogue`);
        },
      );
    },
  },
);
