/** The suite against servers that are not ours, compared with the reports that we keep of them. */

import { expect, it } from 'vitest';
import { examples, existing, runExample } from './examples.ts';
import { keptReport } from './kept-report.ts';

/** Cases of Git that differ most between servers, and end soon. `write-reports.ts` runs all. */
const sample = [
  'git/http/methods',
  'git/http/request-media-type',
  'git/advertisement/empty-repo',
  'git/commands/ls-refs',
  'git/corruption/connectivity/file',
  'git/corruption/packs/checksum',
  'git/filters/combined-by-place-version-0',
  'git/head/emptied',
  'git/races/conflicting-names',
  'git/refs/forced',
  'git/shallow/zero-version-0',
  'git/transactions/atomic',
  'git/transactions/overtaken',
];

it.each(examples)('judges $name as its report says', { timeout: 300_000 }, async (example) => {
  const isWhole = example.pattern !== 'git/*';
  const kept = keptReport(example.name);
  const report = await runExample(example, isWhole ? [example.pattern] : sample);
  const found = report.cases.map(({ id, status }) => [id, status] as const);
  const plain = (id: string, status: string): string =>
    status === 'skipped' ? 'skipped' : (kept.others[id]?.status ?? 'pass');
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(found.map(([id, status]) => [id, plain(id, status)])));
  if (isWhole) expect(report.counts).toEqual(kept.counts);
  else expect(report.counts.skipped).toBe(0);
  // It never answers pushes that delete other refs than branches and tags.
  if (example.name !== 'node-git-server') expect(report.left_behind).toEqual([]);
});

it.each(examples)('explains each result of $name', ({ name }) => {
  const { others } = keptReport(name);
  expect(Object.entries(others).filter(([, { why }]) => why === '')).toEqual([]);
});

it('reads a repository that exists', { timeout: 120_000 }, async () => {
  const { cases } = await runExample(existing, [existing.pattern]);
  expect(cases.length).toBeGreaterThan(5);
  expect(cases.filter(({ status }) => status !== 'pass').map(({ id, failure }) => [id, failure?.message])).toEqual([]);
});
