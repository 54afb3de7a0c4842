/** REPO-140 to REPO-148 of docs/specification/repositories.md, on random histories: stock git is the oracle. */

import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context, TestRepo } from '../../../core/context.ts';
import { commitOf, encodedPath, expectBytes, logOf, readBytes, readJson, treeOf } from '../../../steps/content.ts';
import { holds } from '../../../steps/holds.ts';
import { pushedHistory } from '../../../steps/repo-with.ts';
import { buildHistory, historySteps } from '../../../tools/random-history.ts';
import { same } from '../../../tools/same.ts';
import { StockContent } from '../../../steps/stock-content.ts';
import { assertFailure } from '../../../steps/replies.ts';
import { notFound } from './failures.ts';

export const contentRandom: Suite = suite({
  id: 'rest/content/random-histories',
  requirements: [
    'REPO-055',
    'REPO-056',
    'REPO-080',
    'REPO-081',
    'REPO-082',
    'REPO-083',
    'REPO-084',
    'REPO-085',
    'REPO-141',
    'REPO-142',
    'REPO-143',
    'REPO-144',
    'REPO-145',
    'REPO-147',
    'REPO-148',
  ],
  level: 'MUST',
  needs: ['git'],
  slow: true,
  explanation: 'Log, commit, tree, blob, file and raw say of every object of random repos what stock git says.',
  async run(t) {
    const property = fc.asyncProperty(
      historySteps({ isOdd: false, most: 14 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, pushes) => {
        const repo = await pushedHistory(t, buildHistory(steps), pushes);
        const stock = await StockContent.of(t, repo);
        await objectsAgree(t, repo, stock);
        for (const ref of await stock.refs()) await refAgrees(t, repo, stock, ref);
      },
    );
    await holds(t, 2, property);
  },
});

async function objectsAgree(t: Context, repo: TestRepo, stock: StockContent): Promise<void> {
  for (const { oid, kind, body } of await stock.objects()) {
    if (kind === 'commit') same(await commitOf(t, repo, oid), (await stock.log(oid))[0], `The commit ${oid}.`);
    else assertFailure(t, await readJson(t, repo, `/commit/${oid}`), notFound.commit, `the ${kind} ${oid} as a commit`);
    if (kind === 'tree') same(await treeOf(t, repo, oid), await stock.tree(oid), `The tree ${oid}.`);
    else assertFailure(t, await readJson(t, repo, `/tree/${oid}`), notFound.tree, `the ${kind} ${oid} as a tree`);
    if (kind === 'blob') expectBytes(await readBytes(t, repo, `/blob/${oid}`), oid, body, `the blob ${oid}`);
    else assertFailure(t, await readJson(t, repo, `/blob/${oid}`), notFound.blob, `the ${kind} ${oid} as a blob`);
  }
}

async function refAgrees(t: Context, repo: TestRepo, stock: StockContent, ref: string): Promise<void> {
  const commit = await stock.commitAt(ref);
  const query = `ref=${encodeURIComponent(ref)}`;
  if (commit === undefined && t.dialect.refusesUnresolvedLog) {
    assertFailure(t, await readJson(t, repo, `/log?${query}`), notFound.ref, `the log of ${ref}`);
  } else {
    same(await logOf(t, repo, query), commit === undefined ? [] : await stock.log(commit), `The log of ${ref}.`);
  }
  if (commit === undefined) return;
  const objects = new Map((await stock.objects()).map(({ oid, body }) => [oid, body]));
  for (const { path, type, hash } of await stock.files(commit)) {
    const raw = `/raw/${encodeURIComponent(ref)}/${encodedPath(path)}`;
    const isText = Buffer.from(path.toString()).equals(path);
    const file = `/file?${query}&path=${encodedPath(path)}`;
    for (const asked of isText ? [raw, file] : [raw]) {
      const content = objects.get(hash);
      if (type === 'gitlink') assertFailure(t, await readJson(t, repo, asked), notFound.file, `the submodule ${asked}`);
      else if (content !== undefined) expectBytes(await readBytes(t, repo, asked), hash, content, asked);
    }
  }
}
