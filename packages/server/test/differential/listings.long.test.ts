/** GIT-041 to GIT-049, GIT-075, GIT-091, GIT-092, GIT-100: discovery and lists are those of stock `git`, byte by byte. */

import { deltaPack } from '@packhouse/conformance/tools/delta-pack';
import { buildHistory, historySteps, type History } from '@packhouse/conformance/tools/random-history';
import { commandBody, discover, post, push, set, type Remote } from '@packhouse/conformance/tools/wire-client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectSame, seenDifferences } from './difference.ts';
import { listingDifferences } from './listing-differences.ts';
import { uploadParts } from './reply-parts.ts';
import { StockService } from './stock-service.ts';
import { newFolder, newRepo, openTwins, rounds } from './twins.ts';

openTwins();

const services = ['git-upload-pack', 'git-receive-pack'] as const;
const versions = [0, 1, 2] as const;
const seen = seenDifferences(listingDifferences);

async function compareDiscovery(repo: Remote, stock: StockService): Promise<void> {
  for (const service of services) {
    for (const version of versions) {
      const ours = await discover(repo, { service, version });
      const theirs = await stock.discover(service === 'git-upload-pack' ? 'upload-pack' : 'receive-pack', version);
      expect(ours.status).toBe(200);
      const replies = { ours: uploadParts(ours.body, []), stock: uploadParts(theirs.body, []) };
      expectSame(replies, listingDifferences, { ask: { service, version } }, seen);
    }
  }
}

async function compareCommand(repo: Remote, stock: StockService, ask: Command): Promise<void> {
  const body = commandBody(ask.name, ask.lines);
  const ours = await post(repo, body, { version: 2 });
  const theirs = await stock.post('upload-pack', 2, body);
  expect(ours.status).toBe(200);
  const replies = { ours: uploadParts(ours.body, []), stock: uploadParts(theirs.body, []) };
  expectSame(replies, listingDifferences, { ask }, seen);
}

interface Command {
  readonly name: string;
  readonly lines: readonly string[];
}

const listRefs = fc
  .tuple(
    fc.subarray(['peel', 'symrefs', 'unborn']),
    fc.array(
      fc.constantFrom('', 'H', 'HEAD', 'refs/', 'refs/heads/', 'refs/heads/b', 'refs/tags/t1', 'refs/odd', 'x'),
      {
        maxLength: 3,
      },
    ),
  )
  .map(([words, prefixes]): Command => ({
    name: 'ls-refs',
    lines: [...words, ...prefixes.map((prefix) => `ref-prefix ${prefix}`)],
  }));

/** Always with `size`: Git 2.39 tells sizes at random without it, as it reads memory that it never set. */
const objectInfo = fc.array(fc.nat(), { maxLength: 5 }).map((numbers) => ({ objects }: History): Command => {
  const ids = [...objects.keys(), 'f'.repeat(40)];
  return { name: 'object-info', lines: ['size', ...numbers.map((number) => `oid ${ids[number % ids.length]}`)] };
});

it('GIT-041 to GIT-049, GIT-091, GIT-092, GIT-100: random listings are those of stock git', async () => {
  const inputs = fc.record({
    steps: historySteps({ isOdd: false, most: 30 }),
    lists: fc.array(listRefs, { minLength: 8, maxLength: 8 }),
    infos: fc.array(objectInfo, { minLength: 6, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(inputs, async ({ steps, lists, infos }) => {
      const history = buildHistory(steps);
      const repo = await newRepo();
      const commands = [...history.refs].map(([name, value]) => set(name, value));
      expect((await push(repo, commands, deltaPack([...history.objects.values()], [])))[0]).toBe('unpack ok');
      const stock = await StockService.open(newFolder(), history);
      await compareDiscovery(repo, stock);
      for (const ask of lists) await compareCommand(repo, stock, ask);
      for (const ask of infos) await compareCommand(repo, stock, ask(history));
    }),
    { numRuns: rounds, endOnFailure: true },
  );
  seen.expectAll(rounds);
}, 3_600_000);

it('GIT-046, GIT-092, GIT-160: an empty repo is listed as by stock git', async () => {
  const nothing = { refs: new Map(), objects: new Map() };
  const [repo, stock] = [await newRepo(), await StockService.open(newFolder(), nothing)];
  await compareDiscovery(repo, stock);
  for (const lines of [[], ['symrefs', 'unborn'], ['unborn'], ['symrefs', 'unborn', 'ref-prefix refs/']])
    await compareCommand(repo, stock, { name: 'ls-refs', lines });
});
