/** Steps over Git: pushes with old values, right and wrong, and fetches. */

import fc from 'fast-check';
import { fetched, expectNotOurs, refsOf } from '../../../tools/hosted-objects.ts';
import { noObject, pack } from '../../../tools/made-objects.ts';
import { same } from '../../../tools/same.ts';
import { push, type Command } from '../../../tools/wire-client.ts';
import type { Version } from './versions.ts';
import {
  choice,
  hasRepo,
  idsByName,
  makeVersion,
  pick,
  reaches,
  reachOf,
  refNames,
  setRef,
  step,
  type ModelRepo,
  type Step,
  type World,
} from './world.ts';

/** One command of a push. */
interface Update {
  readonly ref: number;
  /** `next`: a commit on top; `other`: any commit, which may be a step back; `root`: unrelated history. */
  readonly to: 'next' | 'next' | 'other' | 'root' | 'delete';
  readonly stale: boolean;
  readonly number: number;
}

const update: fc.Arbitrary<Update> = fc.record({
  ref: fc.nat(refNames.length - 1),
  to: fc.constantFrom('next', 'next', 'other', 'root', 'delete'),
  stale: fc.nat(4).map((one) => one === 0),
  number: choice,
});

function valueOf(world: World, { to, number }: Update, current: Version | undefined): Version | undefined {
  if (to === 'delete' && current !== undefined) return undefined;
  if (to === 'other' && world.versions.length > 0) return pick(world.versions, number);
  return makeVersion(world, to === 'root' ? undefined : current, number);
}

/** Returns a value that the ref has not, and that it does not get. */
function wrongOld(world: World, current: Version | undefined, next: Version | undefined): string {
  const others = world.versions.filter((one) => one !== current && one !== next);
  if (current !== undefined && next !== undefined) return noObject;
  return others[0]?.node.oid ?? '12'.repeat(20);
}

/** Pushes these updates, and compares the report with the one of the model. */
async function pushAll(world: World, to: ModelRepo, updates: readonly Update[], atomic: boolean): Promise<void> {
  const once = updates.filter(({ ref }, at) => updates.findIndex((other) => other.ref === ref) === at);
  const planned = once.map((one) => {
    const name = refNames[one.ref] as string;
    const current = to.refs.get(name);
    const value = valueOf(world, one, current);
    const old = one.stale ? wrongOld(world, current, value) : (current?.node.oid ?? noObject);
    return {
      name,
      value,
      stale: one.stale,
      command: { old, new: value?.node.oid ?? noObject, ref: name } satisfies Command,
    };
  });
  const held = reachOf(to);
  const brings = planned.flatMap(({ value }) => [...(value?.reach.values() ?? [])]).filter(({ oid }) => !held.has(oid));
  const bytes = planned.every(({ value }) => value === undefined) ? new Uint8Array(0) : pack(...brings);
  const report = await push(
    to.repo,
    planned.map(({ command }) => command),
    bytes,
    atomic ? 'atomic' : '',
  );
  const isRefused = atomic && planned.some(({ stale }) => stale);
  const lines = planned.map(({ name, stale }) => {
    if (stale) return `ng ${name} stale ref`;
    return isRefused ? `ng ${name} atomic push failure` : `ok ${name}`;
  });
  same(report, ['unpack ok', ...lines], 'The report of a push: each update from the value that the ref has is done.');
  for (const { name, value, stale } of planned) {
    if (!stale && !isRefused) setRef(to, name, value);
    else if (planned.some((one) => !one.stale) && !isRefused)
      for (const oid of value?.history ?? []) to.stored.add(oid);
  }
  same(await refsOf(to.repo), idsByName(to), 'The refs after the push.');
}

/** Pushes two branches that differ by one file each, so that merges and forks have something to do from the first step. */
export async function pushBranches(world: World, to: ModelRepo): Promise<void> {
  const next = { to: 'next', stale: false } as const;
  await pushAll(world, to, [{ ...next, ref: 0, number: 0 }], false);
  const base = to.refs.get('refs/heads/main');
  const at = world.versions.indexOf(base as Version);
  await pushAll(world, to, [{ ...next, ref: 1, to: 'other', number: at }], false);
  await pushAll(world, to, [{ ...next, ref: 0, number: 1 }], false);
  await pushAll(world, to, [{ ...next, ref: 1, number: 2 }], false);
}

function told(updates: readonly Update[]): string {
  return updates.map(({ ref, to, stale }) => `${refNames[ref]} ${to}${stale ? ' from a wrong value' : ''}`).join(', ');
}

const pushes = (atomic: boolean): fc.Arbitrary<Step> =>
  fc.record({ number: choice, updates: fc.array(update, { minLength: 1, maxLength: 3 }) }).map(({ number, updates }) =>
    step(
      `push${atomic ? ' --atomic' : ''} to ${number}: ${told(updates)}`,
      (world) => hasRepo(world) && !pick(world.repos, number).readOnly,
      async (world) => await pushAll(world, pick(world.repos, number), updates, atomic),
    ),
  );

const fetch = fc.record({ number: choice, have: choice }).map(({ number, have }) =>
  step(`fetch all of ${number}`, hasRepo, async (world) => {
    const from = pick(world.repos, number);
    same(await refsOf(from.repo), idsByName(from), 'The refs that are listed.');
    const wants = [...from.refs.values()];
    if (wants.length === 0) return;
    const base = pick(wants, have);
    const nodes = wants.filter((one) => one !== base).map(({ node }) => node);
    const all = [...reachOf(from).keys()];
    const whole = await fetched(from.repo, [...nodes, base.node]);
    same([...whole.objects.keys()].sort(), all.sort(), 'A clone has what the refs reach, and nothing else.');
    if (nodes.length === 0) return;
    const part = await fetched(from.repo, nodes, [base.node]);
    const needed = new Set(wants.filter((one) => one !== base).flatMap(({ reach }) => [...reach.keys()]));
    const lacking = [...needed].filter((oid) => !base.reach.has(oid));
    same([...part.objects.keys()].sort(), lacking.sort(), 'A fetch has what a client with one ref lacks.');
  }),
);

const wantById = fc.record({ number: choice, which: fc.nat(99) }).map(({ number, which }) =>
  step(
    `want commit ${which} of ${number}`,
    (world) => hasRepo(world) && world.versions.length > 0,
    async (world) => {
      const from = pick(world.repos, number);
      const version = pick(world.versions, which);
      if (reaches(from, version)) {
        const { objects } = await fetched(from.repo, [version.node]);
        same([...objects.keys()].sort(), [...version.reach.keys()].sort(), 'The objects of a commit behind the refs.');
      } else if (!from.seen.has(version.node.oid)) {
        await expectNotOurs(from.repo, version.node, 'A commit that this repo never had.');
      }
    },
  ),
);

export const gitSteps: readonly fc.Arbitrary<Step>[] = [pushes(false), pushes(false), pushes(false), fetch, wantById];
/** Steps that the public service is not known to take. */
export const atomicSteps: readonly fc.Arbitrary<Step>[] = [pushes(true)];
