/** Changes over catalog and state whose steps fail one after the other: what a listener hears in the end. */

import { createGitEngine } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { createHosting, type DeliveredEvent } from '@packhouse/hosting';
import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
import { expect, it } from 'vitest';

const minute = 60_000;
const reading = new Set(['snapshot', 'open', 'repo', 'repoById', 'pendingEvents', 'dueErasures', 'unfinished']);

/** A service of which one step fails, before it has an effect or after it. */
function world() {
  let now = 1_000_000;
  let left = Number.POSITIVE_INFINITY;
  let isAfter = false;
  const taken: DeliveredEvent[] = [];
  const [catalogs, storage] = [memoryCatalogs(), memoryRepos()];
  const failing = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const method = Reflect.get(target, name) as unknown;
        if (typeof method !== 'function') return method;
        return async (...given: unknown[]) => {
          const fails = !reading.has(String(name)) && left-- === 0;
          if (fails && !isAfter) throw new Error(`before ${String(name)}`);
          const result: unknown = await method.apply(target, given);
          if (fails) throw new Error(`after ${String(name)}`);
          return result;
        };
      },
    });
  const hosting = createHosting({
    catalog: (account) => failing(catalogs(account)),
    storage: {
      ...storage,
      repo(account, id, jurisdiction) {
        const { state, packs } = storage.repo(account, id, jurisdiction);
        return { id, state: failing(state), packs };
      },
    },
    engine: createGitEngine({ codec: nodeCodec() }),
    authorizer: { authorize: async () => undefined },
    settings: { accounts: ['a1'] },
    clock: { now: () => now },
    onEvent: async (event) => void taken.push(event),
  });
  return {
    hosting,
    taken,
    failAt(step: number, after: boolean) {
      [left, isAfter] = [step, after];
    },
    /** Returns true once the step that must fail has run. */
    hasFailed: () => left < 0,
    /** Ends the failure, and advances the clock. */
    async recover(id: string) {
      left = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3; round++) {
        now += minute;
        await hosting.sweep('a1');
        const signal = new AbortController().signal;
        await hosting.deliverEvents({ account: 'a1', id, jurisdiction: 'unrestricted' }, signal);
      }
    },
    exists: async (id: string) => (await catalogs('a1').repoById(id)) !== undefined,
  };
}

it.each([false, true])(
  'REPO-190, REPO-198: after any failed step of a creation or deletion, reports exactly the changes that happened, in order (after it: %s)',
  async (isAfter) => {
    for (let step = 0; ; step++) {
      const { hosting, taken, failAt, hasFailed, recover, exists } = world();
      const seen: string[] = [];
      let id = '';
      failAt(step, isAfter);
      try {
        ({ id } = await hosting.repos.create('a1', 'default', { name: 'notes' }));
        seen.push('created', 'token.created');
        const token = await hosting.tokens.create('a1', 'default', { repo: 'notes' });
        seen.push('token.created');
        await hosting.tokens.revoke('a1', 'default', token.id);
        seen.push('token.revoked');
        await hosting.repos.delete('a1', 'default', 'notes');
        seen.push('deleted');
      } catch {
        // What the client was not told may be done all the same.
      }
      const failed = hasFailed();
      const when = `step ${step}, seen ${seen.join()}`;
      if (id === '') {
        // Whose creation was not answered may be there, or not.
        const listed = await hosting.repos.list('a1', 'default', {}).catch(() => undefined);
        id = listed?.rows[0]?.id ?? '';
      }
      if (id !== '') await recover(id);
      const told = taken.map(({ type }) => type.replace('repos.repo.', ''));
      expect(told.slice(0, seen.length), when).toEqual(seen);
      expect(new Set(taken.map((event) => event.id)).size, when).toBe(told.length);
      if (id !== '')
        expect(told.slice(0, 2), when).toEqual(
          (await exists(id)) || told.length > 0 ? ['created', 'token.created'] : [],
        );
      if (id !== '') expect(told.includes('deleted'), when).toBe(told.length > 0 && !(await exists(id)));
      // At most the one that was under way comes beside what was seen.
      expect(told.length - seen.length, when).toBeLessThanOrEqual(seen.length === 0 ? 2 : 1);
      if (!failed) {
        expect(step).toBeGreaterThan(8);
        expect(told).toEqual(seen);
        return;
      }
    }
  },
);

it('REPO-190: no token is made or revoked untold while the repository is deleted', async () => {
  const catalogs = memoryCatalogs();
  let isDeleting = false;
  const taken: string[] = [];
  const hosting = createHosting({
    catalog: (account) => {
      const catalog = catalogs(account);
      return new Proxy(catalog, {
        get:
          (target, name) =>
          async (given: unknown, ...others: unknown[]) => {
            const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
            const result = await method.call(target, given, ...others);
            // A deletion that has come no further than the catalog.
            if (isDeleting && (name === 'addToken' || name === 'tokenRepo'))
              await target.deleteRepo('default', 'notes', 1_000_000, 0);
            return result;
          },
      });
    },
    storage: memoryRepos(),
    engine: createGitEngine({ codec: nodeCodec() }),
    authorizer: { authorize: async () => undefined },
    settings: { accounts: ['a1'] },
    clock: { now: () => 1_000_000 },
    onEvent: async ({ type }) => void taken.push(type.replace('repos.repo.', '')),
  });
  for (const change of ['create', 'revoke'] as const) {
    isDeleting = false;
    const { id } = await hosting.repos.create('a1', 'default', { name: 'notes' });
    const token = await hosting.tokens.create('a1', 'default', { repo: 'notes' });
    isDeleting = true;
    const changing =
      change === 'create'
        ? hosting.tokens.create('a1', 'default', { repo: 'notes' })
        : hosting.tokens.revoke('a1', 'default', token.id);
    await expect(changing).rejects.toMatchObject({ kind: change === 'create' ? 'repoNotFound' : 'tokenNotFound' });
    await hosting.sweep('a1');
    const repo = { account: 'a1', id, jurisdiction: 'unrestricted' };
    await hosting.deliverEvents(repo, new AbortController().signal);
    expect(taken.splice(0)).toEqual(['created', 'token.created', 'token.created', 'deleted']);
  }
});

it('REPO-133, REPO-190: a fork that was whole when its process died is published, with what was pushed to it', async () => {
  const catalogs = memoryCatalogs();
  let isDying = false;
  const taken: DeliveredEvent[] = [];
  const storage = memoryRepos();
  const hosting = createHosting({
    catalog: (account) =>
      new Proxy(catalogs(account), {
        get:
          (target, name) =>
          async (given: unknown, ...others: unknown[]) => {
            if (isDying && (name === 'publishRepo' || name === 'dropRepo')) throw new Error('the process is dead');
            return (Reflect.get(target, name) as (...given: unknown[]) => unknown).call(target, given, ...others);
          },
      }),
    storage,
    engine: createGitEngine({ codec: nodeCodec() }),
    authorizer: { authorize: async () => undefined },
    settings: { accounts: ['a1'] },
    onEvent: async (event) => void taken.push(event),
  });
  await hosting.repos.create('a1', 'default', { name: 'notes' });
  isDying = true;
  await expect(hosting.repos.fork('a1', 'default', 'notes', { name: 'fork' })).rejects.toThrow();
  isDying = false;
  const { id } = (await catalogs('a1').repo('default', 'fork')) ?? { id: '' };
  const { state } = storage.repo('a1', id, 'unrestricted');
  await state.record({ id: 'pushed', at: 1, body: '{"type":"pushed","metadata":{}}' });
  await hosting.sweep('a1', { grace: 0 });
  expect(await hosting.repos.getById('a1', id)).toMatchObject({ name: 'fork' });
  await hosting.deliverEvents({ account: 'a1', id, jurisdiction: 'unrestricted' }, new AbortController().signal);
  expect(taken.map(({ type }) => type)).toEqual(['repos.repo.forked', 'repos.repo.token.created', 'pushed']);
});
