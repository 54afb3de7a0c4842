/** GIT-060 to GIT-101: replies to random fetches are those of stock `git upload-pack`, byte by byte. */

import { deltaPack } from '@packhouse/conformance/tools/delta-pack';
import { fetchRequestBody } from '@packhouse/conformance/tools/fetch-request';
import { buildHistory, historySteps, inPushes, type History } from '@packhouse/conformance/tools/random-history';
import { post, push, remove, set, type Remote } from '@packhouse/conformance/tools/wire-client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { patternCommit, patternObjects } from '../support/filter-model.ts';
import { pick } from '../support/random-fetches.ts';
import { expectSame, seenDifferences } from './difference.ts';
import { fetchAsks } from './fetch-asks.ts';
import { askOfStock, fetchDifferences } from './fetch-differences.ts';
import { uploadParts, type ReplyPart } from './reply-parts.ts';
import { StockService } from './stock-service.ts';
import { newFolder, newRepo, openTwins, rounds } from './twins.ts';

openTwins();

/** With what filters need, and without one of the refs: what only that reached stays, and may not be wanted. */
function changed({ refs, objects }: History, number: number): History {
  const left = new Map([...refs, ['refs/heads/patterns', patternCommit]]);
  const gone = pick([...refs.keys()], number);
  if (gone !== 'refs/heads/main') left.delete(gone);
  return { refs: left, objects: new Map([...objects, ...patternObjects.map((one) => [one.oid, one] as const)]) };
}

async function pushed(before: History, history: History, pushes: number): Promise<Remote> {
  const repo = await newRepo();
  for (const { refs, brings, before: known } of inPushes(before, pushes)) {
    const report = await push(
      repo,
      [...refs].map(([name, value]) => set(name, value)),
      deltaPack(brings, known),
    );
    expect(report[0]).toBe('unpack ok');
  }
  const gone = [...before.refs].filter(([name]) => !history.refs.has(name)).map(([name, value]) => remove(name, value));
  const commands = [set('refs/heads/patterns', patternCommit), ...gone];
  const report = await push(repo, commands, deltaPack(patternObjects, []));
  expect(report.filter((line) => line.startsWith('ng'))).toEqual([]);
  return repo;
}

it('GIT-060 to GIT-101: random fetches are answered as by stock git', async () => {
  const seen = seenDifferences(fetchDifferences);
  const inputs = fc.record({
    steps: historySteps({ isOdd: false, most: 60 }),
    pushes: fc.integer({ min: 1, max: 4 }),
    gone: fc.nat(),
    asks: fc.array(fetchAsks, { minLength: 40, maxLength: 40 }),
  });
  await fc.assert(
    fc.asyncProperty(inputs, async ({ steps, pushes, gone, asks }) => {
      const before = buildHistory(steps);
      const history = changed(before, gone);
      const repo = await pushed(before, history, pushes);
      const stock = await StockService.open(newFolder(), history);
      const known = [...history.objects.values()];
      for (const make of asks) {
        const ask = make(history, steps.length);
        const { version, words } = ask;
        const ours = await post(repo, fetchRequestBody(version, ask), { version });
        const asked = fetchRequestBody(version, askOfStock(ask, history));
        const { body, died } = await stock.post('upload-pack', version, asked);
        const partsOf = (reply: Buffer): ReplyPart[] => uploadParts(reply, known, words.includes('sideband-all'));
        expect(ours.status).toBe(200);
        const replies = { ours: partsOf(ours.body), stock: partsOf(body) };
        expectSame(replies, fetchDifferences, { ask, history, died }, seen);
      }
    }),
    { numRuns: rounds, endOnFailure: true },
  );
  seen.expectAll(rounds);
}, 3_600_000);
