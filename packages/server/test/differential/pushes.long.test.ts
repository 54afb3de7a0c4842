/** GIT-110 to GIT-152: replies to random pushes are those of stock `git receive-pack`, byte by byte. */

import { buildHistory, historySteps } from '@packhouse/conformance/tools/random-history';
import { commandBody, post } from '@packhouse/conformance/tools/wire-client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { git } from '../support/git.ts';
import { expectSame, seenDifferences } from './difference.ts';
import { pushAsks } from './push-asks.ts';
import { freeRefs, pushDifferences } from './push-differences.ts';
import { receiveParts } from './reply-parts.ts';
import { StockService } from './stock-service.ts';
import { newFolder, newRepo, openTwins, rounds } from './twins.ts';

openTwins();

const listRefs = commandBody('ls-refs', ['peel', 'ref-prefix refs/']);

function refsIn(reply: Buffer): Map<string, string> {
  return new Map(
    [...reply.toString().matchAll(/([0-9a-f]{40}) (refs\/\S+)/g)].map(([, oid = '', name = '']) => [name, oid]),
  );
}

/** Gives some refs of stock `git` the values that they have with us. */
async function align(stock: StockService, refs: ReadonlyMap<string, string>, names: Iterable<string>): Promise<void> {
  const theirs = refsIn((await stock.post('upload-pack', 2, listRefs)).body);
  const differing = [...names].filter((name) => refs.get(name) !== theirs.get(name));
  const deleted = differing.filter((name) => !refs.has(name)).map((name) => `delete ${name}\n`);
  const set = differing.filter((name) => refs.has(name)).map((name) => `update ${name} ${refs.get(name)}\n`);
  // A ref may take the place of one that is a folder of its name.
  for (const lines of [deleted, set])
    await git(['update-ref', '--stdin'], { cwd: stock.folder, input: lines.join('') });
}

it('GIT-110 to GIT-152: random pushes are answered as by stock git, and leave the same refs', async () => {
  const seen = seenDifferences(pushDifferences);
  const inputs = fc.record({
    steps: historySteps({ isOdd: false, most: 24 }),
    asks: fc.array(pushAsks, { minLength: 12, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(inputs, async ({ steps, asks }) => {
      const history = buildHistory(steps);
      const repo = await newRepo();
      const stock = await StockService.open(newFolder(), { refs: new Map(), objects: new Map() });
      let refs = new Map<string, string>();
      const sent = new Set<string>();
      for (const make of asks) {
        const { body, ...ask } = make({ history, refs, sent });
        const ours = await post(repo, body, { service: 'git-receive-pack', version: 0 });
        const theirs = await stock.post('receive-pack', 0, body);
        expect(ours.status).toBe(200);
        const context = { ask, refs };
        expectSame({ ours: receiveParts(ours.body), stock: receiveParts(theirs.body) }, pushDifferences, context, seen);
        const listed = (await post(repo, listRefs, { version: 2 })).body;
        refs = refsIn(listed);
        await align(stock, refs, freeRefs(context));
        const { body: theirRefs } = await stock.post('upload-pack', 2, listRefs);
        expect(listed.toString(), JSON.stringify(ask)).toBe(theirRefs.toString());
      }
    }),
    { numRuns: rounds, endOnFailure: true },
  );
  seen.expectAll(rounds);
}, 3_600_000);
