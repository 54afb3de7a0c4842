import { beforeEach, expect, it, vi } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { blob, commit, tree } from '../maintain/made-history.test.util.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { StorageError } from '../ports/pack-store.ts';
import { RepoGoneError } from '../ports/repo-state.ts';
import { createGitEngine } from './engine.ts';

/** A deletion takes the files of requests that still run: they tell that, and log no failure. */

const file = blob('text');
const root = tree([{ name: 'file', object: file }]);
const tip = commit(root, [], 1);
const request = { wants: [tip.id], words: 'ofs-delta', lines: [] };
const large = blob(
  Array.from({ length: 400_000 }, () => String.fromCharCode(33 + Math.random() * 90))
    .join('')
    .repeat(5),
);
const largeRoot = tree([{ name: 'large', object: large }]);
const second = commit(largeRoot, [], 2);

let repository: MaintainedRepository;
beforeEach(async () => {
  repository = new MaintainedRepository();
  await repository.push([{ ref: 'refs/heads/main', new: tip }], [tip, root, file]);
});

/** The next call of these methods finds the repository deleted. */
function deletedBy(...methods: ('put' | 'upload' | 'read' | 'stream')[]): void {
  const { state, store } = repository;
  const gone = (): never => {
    vi.spyOn(state, 'snapshot').mockRejectedValue(new RepoGoneError());
    throw new StorageError('Cannot store the pack file: ENOENT');
  };
  for (const method of methods) vi.spyOn(store, method).mockImplementation(gone);
}

it('GIT-158: what was being prepared for the next clone is no failure', async () => {
  const engine = createGitEngine({ codec: nodeCodec(), prepared: { max: 1e9, least: 0 } });
  deletedBy('put', 'upload');
  expect((await repository.fetch(request, engine)).size).toBe(3);
  expect(repository.store.put).toHaveBeenCalled();
});

it('GIT-158: a push whose pack cannot be stored any more says why', async () => {
  deletedBy('put', 'upload');
  const report = await repository.report([{ ref: 'refs/heads/large', new: second }], [second, largeRoot, large]);
  expect(report).toContain('ng refs/heads/large repository deleted');
});

it('GIT-158: a fetch breaks off', async () => {
  await repository.push([{ ref: 'refs/heads/large', new: second }], [second, largeRoot, large]);
  repository.engine = createGitEngine({ codec: nodeCodec() });
  deletedBy('read', 'stream');
  const fetched = repository.reply({ ...request, wants: [second.id] });
  await expect(fetched).rejects.toThrow(RepoGoneError);
});

it('GIT-158: a fetch with side-band says why it ends', async () => {
  await repository.push([{ ref: 'refs/heads/large', new: second }], [second, largeRoot, large]);
  deletedBy('read', 'stream');
  const reply = await repository.reply({ wants: [second.id], words: 'ofs-delta side-band-64k', lines: [] });
  expect(reply.toString('latin1')).toMatch(/\x03repository deleted\n$/);
});
