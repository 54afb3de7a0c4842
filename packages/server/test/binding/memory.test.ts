/** Memory of the engine that reads of a binding reserve and release (BIND-075). */

import { createHash } from 'node:crypto';
import { createBinding } from '@packhouse/binding';
import { blob, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { push, set } from '@packhouse/conformance/tools/wire-client';
import { createGitEngine, NotEnoughMemoryError } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { createHosting, type HostedRepo } from '@packhouse/hosting';
import { createService, gitFace } from '@packhouse/router';
import { memoryCatalogs, memoryRepos } from '@packhouse/storage';
import { expect, it } from 'vitest';

const mebi = 1_048_576;
const noise = Buffer.concat(
  Array.from({ length: (3 * mebi) / 64 }, (_, i) => createHash('sha512').update(String(i)).digest()),
);
const large = blob(noise);
const root = tree({ large });
const node = commit('files', root);

it('BIND-074, BIND-075: nothing is held of what was read, refused, missing or broken off', async () => {
  const pageCache = 24 * mebi;
  const engine = createGitEngine({ codec: nodeCodec(), pageCache });
  const storage = memoryRepos();
  const store: { fault?: Error; chunks: number } = { chunks: 1 };
  const breaking = ({ id, state, packs }: HostedRepo): HostedRepo => ({
    id,
    state,
    packs: new Proxy(packs, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        const { fault } = store;
        if (name !== 'stream' || fault === undefined)
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        return async function* (...given: Parameters<typeof packs.stream>) {
          let chunks = 0;
          for await (const chunk of target.stream(...given)) {
            if (++chunks > store.chunks) throw fault;
            yield chunk;
          }
          throw fault;
        };
      },
    }),
  });
  const reported: unknown[] = [];
  const hosting = createHosting({
    engine,
    catalog: memoryCatalogs(),
    storage: { ...storage, repo: (...place) => breaking(storage.repo(...place)) },
    authorizer: { authorize: async () => undefined },
    report: (error) => reported.push(error),
  });
  const report = (error: unknown): never => {
    throw error;
  };
  const service = createService({ hosting, git: gitFace({ hosting, engine, report }), log: () => undefined });
  const options = { hosting, account: 'local', namespace: 'default' };
  const repos = createBinding(options);
  const { remote, token } = await repos.create('files');
  const fetch = (url: string, init?: RequestInit): Promise<Response> => service(new Request(url, init));
  const told = await push({ remote, token, fetch }, [set('refs/heads/main', node)], pack(node, root, large));
  expect(told).toEqual(['unpack ok', 'ok refs/heads/main']);

  /** Returns the reserved bytes without cached pages, which stay until other work needs their memory. */
  const held = (): number => engine.admission.reserved % pageCache;
  using repo = await repos.get('files');
  using bounded = await createBinding({ ...options, valueMax: mebi }).get('files');
  for (const read of [
    () => repo.readBlob(large.oid),
    () => repo.readFile({ ref: 'main', path: 'large' }),
    () => repo.readBlob(root.oid),
    () => repo.readTree(root.oid),
    () => repo.log(),
  ]) {
    await read();
    expect(held()).toBe(0);
  }
  const full = async (): Promise<never> => {
    throw new NotEnoughMemoryError({ needed: 2, limit: 1, setting: 'memory_max' });
  };
  using refused = await createBinding({ ...options, admit: full }).get('files');
  for (const read of [
    () => refused.readBlob(large.oid),
    () => refused.readFile({ ref: 'main', path: 'large' }),
    () => bounded.readBlob(large.oid),
    () => bounded.readFile({ ref: 'main', path: 'large' }),
    () => repo.readTree(large.oid),
  ]) {
    await expect(read()).rejects.toMatchObject({ name: 'RepoError' });
    expect(held()).toBe(0);
  }
  expect(reported).toEqual([]);
  const fault = new Error('the store broke off');
  store.fault = fault;
  await expect(repo.readBlob(large.oid)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  expect([held(), reported]).toEqual([0, [fault]]);
  // While its type is looked for.
  store.chunks = 0;
  await expect(repo.readFile({ ref: 'main', path: 'large' })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  expect([held(), reported]).toEqual([0, [fault, fault]]);
});
