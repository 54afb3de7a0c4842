/** Steps that change repos over REST: members, refs, commits and merges. */

import fc from 'fast-check';
import type { Context } from '../../../core/context.ts';
import { expectBytes, pathOf, readBytes } from '../../../steps/content.ts';
import {
  assertFailure,
  assertRefused,
  assertSuccess,
  failures,
  refusedUpdate,
  repoExists,
  staleRef,
  type Failure,
} from '../../../steps/replies.ts';
import { same } from '../../../tools/same.ts';
import { refsOf } from '../../../tools/hosted-objects.ts';
import { notFound } from '../content/failures.ts';
import { walked } from '../lists/walks.ts';
import { mergeBases, mergeVersions, nextVersion, paths, type Version } from './versions.ts';
import {
  branchNames,
  choice,
  hasRepo,
  headOf,
  idsByName,
  pick,
  reaches,
  refNames,
  setRef,
  step,
  type ModelRepo,
  type Step,
  type World,
} from './world.ts';

const author = { name: 'Ada Example', email: 'ada@example.com', time: 1_700_000_000, timezone: '+0000' };
const noObject: Failure = { status: 404, code: 10200, message: 'Object not found' };

/** The `old` of a request: absent, the value of the ref, or another. */
type Old = 'any' | 'right' | 'wrong';
const old: fc.Arbitrary<Old> = fc.constantFrom('any', 'right', 'right', 'wrong');

/** Returns the value of a member that guards a change; undefined for no guard. */
function guard(how: Old, current: Version | undefined): string | null | undefined {
  if (how === 'any') return undefined;
  if (how === 'wrong') return current === undefined ? '12'.repeat(20) : null;
  return current?.node.oid ?? null;
}

/** Declares a step about one repo. */
function about(text: string, number: number, run: (world: World, t: Context, one: ModelRepo) => Promise<void>): Step {
  return step(`${text}, in ${number}`, hasRepo, async (world, t) => {
    const one = pick(world.repos, number);
    await run(world, t, one);
    same(await refsOf(one.repo), idsByName(one), 'The refs after the step.');
  });
}

const patch = fc
  .record({
    number: choice,
    other: choice,
    body: fc.constantFrom('description', 'name', 'taken name', 'read_only', 'default_branch'),
  })
  .map(({ number, other, body }) =>
    about(`update the ${body}`, number, async (world, t, one) => {
      const path = pathOf(one.repo);
      const send = async (change: object): Promise<void> =>
        void assertSuccess(await t.rest('PATCH', path, { body: change }), 200, JSON.stringify(change));
      if (body === 'description') {
        const description = pick([null, 'eins', 'two'], other);
        await send({ description });
        one.description = description;
      } else if (body === 'read_only') {
        await send({ read_only: !one.readOnly });
        one.readOnly = !one.readOnly;
      } else if (body === 'default_branch') {
        one.defaultBranch = pick(branchNames, other);
        await send({ default_branch: one.defaultBranch });
      } else if (body === 'name') {
        const name = t.name('renamed');
        const reply = await t.rest('PATCH', path, { body: { name } });
        const { remote } = assertSuccess(reply, 200, 'PATCH of a name');
        one.repo = { ...one.repo, name, remote };
        await assertRefused(t, ['GET', path], failures.noRepo);
      } else {
        const { name } = pick(world.repos, other).repo;
        if (name !== one.repo.name) await assertRefused(t, ['PATCH', path, { name }], repoExists(name));
      }
    }),
  );

/** Returns the failures that a change of a ref deserves. A service reports one of them. */
function faultsOf(
  one: ModelRepo,
  name: string,
  value: Version | undefined,
  how: { readonly old: Old; readonly force: boolean },
): Failure[] {
  if (one.readOnly) return [failures.readOnly];
  const current = one.refs.get(name);
  const faults: Failure[] = [];
  if (how.old === 'wrong') faults.push(staleRef(current?.node.oid ?? null));
  if (value !== undefined && !reaches(one, value)) faults.push(noObject);
  if (value === undefined && current === undefined && how.old === 'any') faults.push(notFound.ref);
  if (value !== undefined && current !== undefined && value !== current && !how.force) {
    if (name.startsWith('refs/tags/')) faults.push(refusedUpdate('already exists'));
    else if (!value.history.has(current.node.oid)) faults.push(refusedUpdate('non-fast-forward'));
  }
  return faults;
}

const setOne = fc
  .record({ number: choice, ref: fc.nat(refNames.length - 1), which: fc.nat(99), old, force: fc.boolean() })
  .map(({ number, ref, which, ...how }) => {
    const name = refNames[ref] as string;
    return about(
      `set ${name} to ${which}, old: ${how.old}${how.force ? ', forced' : ''}`,
      number,
      async (world, t, one) => {
        const isKept = ({ node }: Version): boolean => one.seen.has(node.oid) || one.stored.has(node.oid);
        const known = world.versions.filter((version) => reaches(one, version) || !isKept(version));
        if (known.length === 0) return;
        const value = pick(known, which);
        const body = { old: guard(how.old, one.refs.get(name)), new: value.node.oid, force: how.force };
        const reply = await t.rest('PUT', `${pathOf(one.repo)}/${name}`, { body });
        const faults = faultsOf(one, name, value, how);
        if (faults.length === 0) {
          const change = { name, old: one.refs.get(name)?.node.oid ?? null, new: value.node.oid };
          same(assertSuccess(reply, 200, `PUT ${name}`), change, 'The change of the ref.');
          setRef(one, name, value);
        } else expectOneOf(t, reply, faults, `PUT ${name} ${JSON.stringify(body)}`);
      },
    );
  });

function expectOneOf(
  t: Context,
  reply: Parameters<typeof assertFailure>[1],
  faults: readonly Failure[],
  what: string,
): void {
  const fits = faults.find(({ status, message }) => reply.status === status && reply.text.includes(message));
  assertFailure(t, reply, fits ?? (faults[0] as Failure), what);
}

const removeOne = fc
  .record({ number: choice, ref: fc.nat(refNames.length - 1), old })
  .map(({ number, ref, old: how }) => {
    const name = refNames[ref] as string;
    return about(`delete ${name}, old: ${how}`, number, async (_world, t, one) => {
      const current = one.refs.get(name);
      // A query cannot say that the ref must not exist.
      const guarded = current === undefined && how === 'right' ? 'any' : how;
      const other = guarded === 'wrong' ? '12'.repeat(20) : current?.node.oid;
      const query = guarded === 'any' ? '' : `?old=${other}`;
      const reply = await t.rest('DELETE', `${pathOf(one.repo)}/${name}${query}`);
      const faults = faultsOf(one, name, undefined, { old: guarded, force: false });
      if (faults.length === 0) {
        const change = { name, old: current?.node.oid ?? null, new: null };
        same(assertSuccess(reply, 200, `DELETE ${name}`), change, 'The deleted ref.');
        setRef(one, name, undefined);
      } else expectOneOf(t, reply, faults, `DELETE ${name}${query}`);
    });
  });

const commitOne = fc
  .record({ number: choice, branch: fc.constantFrom(...branchNames), path: fc.constantFrom(...paths), old })
  .map(({ number, branch, path, old: how }) =>
    about(`commit ${path} to ${branch}, expected head: ${how}`, number, async (world, t, one) => {
      const name = `refs/heads/${branch}`;
      const current = one.refs.get(name);
      const parent = current ?? one.refs.get(headOf(one) ?? '');
      const text = `version ${world.versions.length}\n`;
      const made = nextVersion(parent, path, text, text);
      const changes = [{ op: 'put', path, content: text }];
      const body = { branch, message: text, author, changes, expected_head: guard(how, current) };
      const reply = await t.rest('POST', `${pathOf(one.repo)}/commits`, { body });
      if (one.readOnly) return assertFailure(t, reply, failures.readOnly, 'a commit to a read-only repo');
      if (how === 'wrong')
        return assertFailure(t, reply, staleRef(current?.node.oid ?? null), 'a commit on another head');
      same(assertSuccess(reply, 201, 'POST of a commit').commit, made.node.oid, 'The commit that Git would make.');
      world.versions.push(made);
      setRef(one, name, made);
    }),
  );

const mergeOne = fc
  .record({ number: choice, branches: fc.constantFrom(['main', 'side'], ['side', 'main'], ['main', 'deep/er']) })
  .map(({ number, branches: [into, from] }) =>
    about(`merge ${from} into ${into}`, number, async (world, t, one) => {
      const [ours, theirs] = [one.refs.get(`refs/heads/${into}`), one.refs.get(`refs/heads/${from}`)];
      if (ours === undefined || theirs === undefined) return;
      const bases = mergeBases(ours, theirs);
      // Several bases are merged first, which the model does not do.
      if (bases.length > 1) return;
      const message = `merge ${world.versions.length}\n`;
      const body = { into, from, message, author };
      const reply = await t.rest('POST', `${pathOf(one.repo)}/merges`, { body });
      if (one.readOnly) return assertFailure(t, reply, failures.readOnly, 'a merge in a read-only repo');
      const [base] = bases;
      if (base === undefined) {
        const refused = refusedUpdate('refusing to merge unrelated histories');
        return assertFailure(t, reply, refused, 'a merge of unrelated histories');
      }
      if (base === theirs) {
        same(assertSuccess(reply, 200, 'a merge of what is there').commit, null, 'No commit.');
        return;
      }
      const made = mergeVersions(base, ours, theirs, message);
      if (made === 'conflict') return same([reply.status, reply.json?.errors?.[0]?.code], [409, 10206], 'A conflict.');
      same(assertSuccess(reply, 201, 'POST of a merge').commit, made.node.oid, 'The merge that Git would make.');
      world.versions.push(made);
      setRef(one, `refs/heads/${into}`, made);
    }),
  );

const listRefs = fc.record({ number: choice, limit: fc.integer({ min: 1, max: 3 }) }).map(({ number, limit }) =>
  about(`list the refs, ${limit} a page`, number, async (_world, t, one) => {
    const query = `${pathOf(one.repo)}/refs?limit=${limit}`;
    const rows = await walked<{ readonly name: string; readonly hash: string }>(t, query);
    const expected = Object.entries(idsByName(one)).sort(([a], [b]) => (a < b ? -1 : 1));
    same(
      rows.map(({ name, hash }) => [name, hash]),
      expected,
      'The pages together have each ref once, sorted by name.',
    );
  }),
);

const readFile = fc.record({ number: choice, branch: fc.constantFrom(...branchNames) }).map(({ number, branch }) =>
  about(`read the files of ${branch}`, number, async (_world, t, one) => {
    const version = one.refs.get(`refs/heads/${branch}`);
    for (const path of paths) {
      const reply = await readBytes(t, one.repo, `/file?ref=${encodeURIComponent(branch)}&path=${path}`);
      const file = version?.files.get(path);
      if (file === undefined) same(reply.status, 404, `There is no ${path} in ${branch}.`);
      else expectBytes(reply, file.oid, file.body, `${path} of ${branch}`);
    }
  }),
);

export const changeSteps: readonly fc.Arbitrary<Step>[] = [
  patch,
  setOne,
  setOne,
  removeOne,
  commitOne,
  commitOne,
  mergeOne,
  mergeOne,
  listRefs,
  readFile,
];
