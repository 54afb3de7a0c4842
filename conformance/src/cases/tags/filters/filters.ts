import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { sample } from '../../../tools/dice.ts';
import type { Context } from '../../../core/context.ts';
import { filterRows, samples, type FilterRow, type SampleName } from './rows.ts';
import { listedIds, repeated } from '../support/tag-lists.ts';
import { tagWorkers } from '../support/tagged-resources.ts';
import { assertRefusal, filterRefusal } from '../support/refusals.ts';

interface TaggedSamples {
  readonly names: ReadonlyMap<string, SampleName>;
  /** The query that limits a list to them. */
  readonly only: string;
}

async function tagSamples(t: Context): Promise<TaggedSamples> {
  return await t.shared('tags/filter-samples', async (shared) => {
    const ids = await tagWorkers(shared, Object.values(samples));
    const names = new Map(ids.map((id, i) => [id, Object.keys(samples)[i] as SampleName]));
    return { names, only: repeated('id', ids) };
  });
}

/** Returns one of the texts of a row as a query, exactly as in the specification. */
function queriesOf(t: Context, { wire, ignoreCase }: FilterRow): readonly string[] {
  return sample(t, wire, 1).map((texts) => {
    const tags = (typeof texts === 'string' ? [texts] : texts).map((text) => `tag=${text}`);
    return [...tags, ...(ignoreCase === true ? ['case_insensitive=true'] : [])].join('&');
  });
}

/** Asserts what each row selects. Reports all wrong rows, not only the first. */
async function expectRows(t: Context, rows: readonly FilterRow[]): Promise<void> {
  const { names, only } = await tagSamples(t);
  const found: Record<string, string> = {};
  const expected: Record<string, string> = {};
  for (const row of rows) {
    for (const query of queriesOf(t, row)) {
      const ids = await listedIds(t, `${query}&${only}`);
      found[`${row.id} ${query}`] = ids
        .map((id) => names.get(id) ?? id)
        .toSorted()
        .join(' ');
      expected[`${row.id} ${query}`] = (row.expected as readonly SampleName[]).join(' ');
    }
  }
  assert.deepEqual(found, expected, 'expected these samples to match');
}

async function expectRefusals(t: Context, rows: readonly FilterRow[]): Promise<void> {
  for (const row of rows) {
    for (const query of queriesOf(t, row)) {
      const reply = await t.tags('GET', `/tags/resources?${query}`);
      const what = `${row.id}: ${query.slice(0, 100)}`;
      assertRefusal(reply, filterRefusal(row.expected as number), what);
    }
  }
}

const isRefused = ({ expected }: FilterRow): boolean => typeof expected === 'number';
const ids = (rows: readonly FilterRow[]): readonly string[] => rows.map(({ id }) => id);

const matching = filterRows.filter((row) => !isRefused(row) && row.beyond !== true);
const matchingBeyond = filterRows.filter((row) => !isRefused(row) && row.beyond === true);
const refused = filterRows.filter((row) => isRefused(row) && row.beyond !== true);
const refusedBeyond = filterRows.filter((row) => isRefused(row) && row.beyond === true);

const furtherMatches: readonly FilterRow[] = [
  { id: 'TAG-082', wire: ['note=x,a%2Cb', 'note=a%2cb,x'], expected: ['B'] },
  { id: 'TAG-082', wire: ['note!=a%2Cb', 'note%21=a%2Cb'], expected: ['A', 'C', 'D', 'E'] },
  { id: 'TAG-083', wire: ['note!%3Da%2Cb', 'note%21%3da%2cb'], expected: ['A', 'B', 'C', 'D', 'E'] },
  { id: 'TAG-087', wire: ['env%3D', 'env%3d', 'archived='], expected: ['C'] },
  { id: 'TAG-087', wire: ['env%21%3D', 'env!%3D', 'archived!='], expected: ['A', 'B', 'D', 'E'] },
];

const separator: FilterRow = { id: 'TAG-091', wire: ['env:prod', 'env%3Aprod', '!env:prod'], expected: 1014 };

const furtherRefusals: readonly FilterRow[] = [
  { id: 'TAG-088', wire: ['%3Dx', '%21', '%21%3Dx', '!env%3Dprod', '!!=x'], expected: 1007 },
  { id: 'TAG-088', wire: ['%', '%4', 'env=%zz', 'en%v', '%C3%28', 'env=%ED%A0%80', 'env=%C3,%A9'], expected: 1007 },
  {
    id: 'TAG-088',
    wire: ['%00', 'e%00v=x', 'env%3D%00', 'env=a,,b', 'env%3Da%2C%2Cb', 'env=a,', 'env=,a'],
    expected: 1007,
  },
  { id: 'TAG-089', wire: ['e/v', 'e%2Fv=x', '%F0%9F%98%80', 'e%20v!=x', '!e+v', '%26'], expected: 1014 },
  { id: 'TAG-089', wire: [`${'%F0%90%90%80'.repeat(257)}=x`, `${'k'.repeat(257)}!=`], expected: 1011 },
  { id: 'TAG-089', wire: [`env%3D${'v'.repeat(1025)}`, `env!=a,${'%C3%A9'.repeat(1025)}`], expected: 1012 },
];

export const tagFilters: Suite = suite(
  {
    id: 'tags/filters/matches',
    requirements: [...ids(matching), 'TAG-081', 'TAG-083', 'TAG-084', 'TAG-085', 'TAG-086'],
    level: 'MUST',
    explanation: 'The filters of the specification select those of its samples that it says.',
    run: async (t) => await expectRows(t, matching),
  },
  {
    id: 'tags/filters/escaped-comma',
    requirements: [...ids(matchingBeyond), 'TAG-082', 'TAG-087'],
    level: 'MUST',
    beyond: true,
    explanation: 'Behind a literal operator an encoded comma is part of the value, and a literal one separates.',
    run: async (t) => await expectRows(t, [...matchingBeyond, ...furtherMatches]),
  },
  {
    id: 'tags/filters/refused',
    requirements: [...ids(refused), 'TAG-090', 'TAG-091'],
    level: 'MUST',
    readOnly: true,
    explanation: 'More than 20 filters, more than 10 values in one, and a colon in place of `=`, are refused.',
    run: async (t) => await expectRefusals(t, [...refused, separator]),
  },
  {
    id: 'tags/filters/refused-beyond',
    requirements: [...ids(refusedBeyond), 'TAG-088', 'TAG-089'],
    level: 'MUST',
    beyond: true,
    readOnly: true,
    explanation: 'Filters that the grammar has not are refused with the code of what is wrong with them.',
    run: async (t) => await expectRefusals(t, [...refusedBeyond, ...furtherRefusals]),
  },
);
