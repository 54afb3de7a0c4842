/** The repo for the cases of upload-pack, and their requests in versions 0 and 1. */

import assert from 'node:assert/strict';
import type { Context, TestRepo } from '../../../core/context.ts';
import { change, tag, type MadeCommit, type MadeObject } from '../../../tools/made-objects.ts';
import { readPack } from '../../../tools/pack-contents.ts';
import { repoWith } from '../../../steps/repo-with.ts';
import { linesOf, post, uploadBody, type Remote } from '../../../tools/wire-client.ts';

const line: MadeCommit[] = [change('0')];
for (let i = 1; i < 6; i++) line.push(change(String(i), line[i - 1] as MadeCommit));

/** Six commits in a row, oldest first, each with a new tree and file. */
export const history: readonly MadeCommit[] = line;

export function at(i: number): MadeCommit {
  return history[i] as MadeCommit;
}

export const tip: MadeCommit = at(5);
/** A commit without a parent, on a separate branch. */
export const apart: MadeCommit = change('apart');
export const inner: MadeObject = tag('inner', at(2));
/** A tag of a tag. */
export const outer: MadeObject = tag('outer', inner);
export const early: MadeObject = tag('early', at(0));
export const treeTag: MadeObject = tag('tree', at(3).root);
/** A tag that no ref below `refs/tags/` names. */
export const elsewhere: MadeObject = tag('elsewhere', tip);
/** An id that no repo has. */
export const unknown: string = '1'.repeat(40);

export function repoWithHistory(t: Context): Promise<TestRepo> {
  const refs = {
    'refs/heads/main': tip,
    'refs/heads/apart': apart,
    'refs/tags/outer': outer,
    'refs/tags/early': early,
    'refs/tags/tree': treeTag,
    'refs/other/elsewhere': elsewhere,
  };
  const objects = [...between(0, 5), ...apart.all, inner, outer, early, treeTag, elsewhere];
  return repoWith(t, refs, objects);
}

/** Returns the objects of some commits of the history, both ends included. */
export function between(from: number, to: number): MadeObject[] {
  return history.slice(from, to + 1).flatMap(({ all }) => all);
}

/** Sends a request in version 0 or 1. Returns the raw reply. */
export async function ask(
  repo: Remote,
  wants: readonly string[],
  haves: readonly string[],
  words: string,
  end: 'done' | 'flush' | 'wants' = 'done',
  version: 0 | 1 = 0,
): Promise<Buffer> {
  const { status, body } = await post(repo, uploadBody(wants, haves, words, end), { version });
  assert.equal(status, 200, 'What is framed well is answered 200.');
  return body;
}

/** Splits a reply without side-band into lines and the pack after them. */
export function split(reply: Buffer): { lines: string[]; pack: Buffer } {
  const start = reply.indexOf('PACK');
  const end = start < 0 ? reply.length : start;
  return { lines: linesOf(reply.subarray(0, end)), pack: reply.subarray(end) };
}

/** Returns the sorted ids in a pack, for a client that has everything of some commits. */
export function idsIn(pack: Buffer, ...held: readonly MadeCommit[]): string[] {
  return [
    ...readPack(
      pack,
      held.flatMap(({ all }) => all),
    ).objects.keys(),
  ].sort();
}
