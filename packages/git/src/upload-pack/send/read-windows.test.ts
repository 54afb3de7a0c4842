import { expect, it } from 'vitest';
import { nodeCodec } from '../../codec/node.ts';
import { createGitEngine } from '../../engine/engine.ts';
import { blob, commit, tree } from '../../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../../maintain/maintained-repository.test.util.ts';

async function pushed(): Promise<{ repository: MaintainedRepository; wants: string[] }> {
  const repository = new MaintainedRepository(1_000_000);
  const file = blob('text');
  const root = tree([{ name: 'file', object: file }]);
  const tip = commit(root, [], 1);
  const next = commit(root, [tip], 2);
  await repository.push([{ ref: 'refs/heads/main', new: tip }], [tip, root, file]);
  await repository.push([{ ref: 'refs/heads/next', new: next }], [next]);
  await repository.maintain({ mode: 'full' });
  return { repository, wants: [tip.id] };
}

it('reads small stretches of a pack once for several fetches of few objects', async () => {
  const { repository, wants } = await pushed();
  const { store } = repository;
  const request = { wants, words: 'ofs-delta', lines: [] };
  const engine = createGitEngine({ codec: nodeCodec() });
  expect((await repository.fetch(request, engine)).size).toBe(3);
  const reads = store.ranges.length;
  expect(reads).toBeGreaterThan(0);
  expect((await repository.fetch(request, engine)).size).toBe(3);
  expect(store.ranges).toHaveLength(reads);
  const without = createGitEngine({ codec: nodeCodec(), sentCache: 0 });
  for (let time = 1; time <= 2; time++) {
    expect((await repository.fetch(request, without)).size).toBe(3);
    expect(store.ranges).toHaveLength(reads * (1 + time));
  }
});
