import { fc, test } from '@fast-check/vitest';
import type { Catalog, Catalogs } from '../../ports/catalog.ts';
import { expect } from 'vitest';
import { CatalogModel } from './model.ts';

/** Few names in several spellings, so that they often collide. */
const namespaces = ['Team', 'TEAM', 'other', 'Other'];
const names = ['a', 'A', 'ab', 'b', 'aB'];
const statuses = ['creating', 'importing', 'forking'] as const;

const time = fc.integer({ min: 1, max: 9 });
/** A repo that was ever reserved, deleted or not, modulo their number. */
const which = fc.nat(9);
const namespace = fc.constantFrom(...namespaces);
const name = fc.constantFrom(...names);
const bytes = fc.integer({ min: 0, max: 50 });
const version = fc.integer({ min: 1, max: 4 });

const reserve = fc.record({
  does: fc.constant('reserve' as const),
  namespace,
  name,
  status: fc.constantFrom(...statuses),
  parent: fc.option(which),
  at: time,
});

const steps = [
  fc.record({ does: fc.constant('create namespace' as const), namespace, at: time }),
  fc.record({ does: fc.constant('delete namespace' as const), namespace }),
  reserve,
  fc.record({
    does: fc.constant('publish' as const),
    which,
    found: fc.option(fc.record({ defaultBranch: fc.constant('trunk'), at: time, bytes, version })),
  }),
  fc.record({
    does: fc.constant('update' as const),
    which,
    name,
    revision: fc.nat(2),
    at: time,
    forkSource: fc.constantFrom('one', 'two'),
    events: fc.constantFrom([], [{ id: 'e', at: 1, body: '{"a":"\\u0000"}' }]),
  }),
  fc.record({ does: fc.constant('settle' as const), which, revision: fc.nat(2) }),
  fc.record({ does: fc.constant('renew' as const), which, at: time }),
  fc.record({ does: fc.constant('delete' as const), namespace, name, at: time, since: time }),
  fc.record({ does: fc.constant('drop' as const), which, at: time }),
  fc.record({ does: fc.constant('touch' as const), which, push: fc.record({ pushedAt: time, bytes, version }) }),
  fc.record({ does: fc.constant('add token' as const), which, at: time, expiresAt: time, history: fc.nat(2) }),
  fc.record({ does: fc.constant('drop tokens' as const), which }),
  fc.record({ does: fc.constant('erased' as const), which, due: fc.option(time) }),
  fc.record({ does: fc.constant('forget' as const), before: time }),
] as const;

type Step = (typeof steps)[number] extends fc.Arbitrary<infer One> ? One : never;

/** Performs a step. `number` is that of the step, from which new ids are made. `made` are the ids of repos so far. */
async function take(catalog: Catalog, step: Step, number: number, made: readonly string[]): Promise<unknown> {
  const id = 'which' in step ? (made[step.which % made.length] ?? 'none') : '';
  switch (step.does) {
    case 'create namespace':
      return catalog.createNamespace(step.namespace, 'eu', step.at);
    case 'delete namespace':
      return catalog.deleteNamespace(step.namespace, number);
    case 'reserve':
      return catalog.reserveRepo(
        {
          id: `r${number}`,
          namespace: step.namespace,
          name: step.name,
          description: null,
          defaultBranch: 'main',
          readOnly: false,
          source: null,
          // The last one is this repo, which cannot be its own parent.
          parentId: step.parent === null ? null : (made.slice(0, -1)[step.parent % made.length] ?? null),
          rootId: step.parent === null ? null : (made[0] ?? null),
          status: step.status,
          createdAt: step.at,
        },
        { id: `t${number}`, createdAt: step.at, expiresAt: 9 },
      );
    case 'publish':
      return catalog.publishRepo(id, step.found ?? undefined);
    case 'update': {
      const { name: newName, revision, at, forkSource, events } = step;
      const values = { name: newName, description: newName, defaultBranch: newName, readOnly: newName === 'ab' };
      return catalog.updateRepo(id, { ...values, revision, at, forkSource, events });
    }
    case 'settle':
      return catalog.settleRepo(id, step.revision);
    case 'renew':
      return catalog.renewRepo(id, step.at);
    case 'delete':
      return catalog.deleteRepo(step.namespace, step.name, step.at, step.since);
    case 'drop':
      return catalog.dropRepo(id, step.at);
    case 'touch':
      return catalog.touch(id, step.push);
    case 'add token': {
      const { at, expiresAt, history } = step;
      return catalog.addToken(id, { id: `t${number}`, createdAt: at, expiresAt }, at, history);
    }
    case 'drop tokens':
      return catalog.dropTokens([`t${id.slice(1)}`, 'unknown']);
    case 'erased':
      return catalog.setErasureDue(id, step.due);
    case 'forget':
      return catalog.forgetErased(step.before);
  }
}

/** Reads everything from a catalog. `count` is the number of steps so far. */
async function told(catalog: Catalog, count: number): Promise<unknown> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const sorted = <Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] =>
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return {
    namespaces: await catalog.namespaces({ limit: 9 }),
    total: await catalog.countNamespaces(),
    bytes: await catalog.storedBytes(),
    unfinished: sorted(await catalog.unfinished(9)),
    unsettled: sorted(await catalog.unsettled()),
    due: sorted(await catalog.dueErasures(9)),
    byId: await Promise.all(numbers.map((number) => catalog.repoById(`r${number}`))),
    byToken: await Promise.all(numbers.map((number) => catalog.tokenRepo(`t${number}`))),
    in: await Promise.all(
      namespaces.map(async (one) => [
        await catalog.namespace(one),
        await catalog.countRepos(one, ''),
        await catalog.countRepos(one, 'B'),
        await catalog.repos(one, { search: '', sort: 'created_at', direction: 'desc' }, { limit: 9 }),
        await catalog.repos(one, { search: 'B', sort: 'last_push_at', direction: 'asc' }, { limit: 9 }),
        await Promise.all(names.map((each) => catalog.repo(one, each))),
      ]),
    ),
  };
}

/** Compares a catalog with plain lists after arbitrary steps in any order. */
export function testRandomCatalog(open: (account: string) => ReturnType<Catalogs>): void {
  let run = 0;
  test.prop([fc.array(fc.oneof(reserve, ...steps), { minLength: 4, maxLength: 30, size: 'max' })], { numRuns: 40 })(
    'REPO-062, REPO-102 to REPO-117, LIM-012: any steps come to what they do to plain lists',
    async (given) => {
      const account = `random${(run += 1)}`;
      const model = new CatalogModel();
      const made: string[] = [];
      for (const [number, step] of given.entries()) {
        if (step.does === 'reserve') made.push(`r${number}`);
        const expected = await take(model, step, number, made);
        expect(await take(open(account), step, number, made), `step ${number}`).toEqual(expected);
      }
      expect(await told(open(account), given.length)).toEqual(await told(model, given.length));
    },
  );
}
