/** Repositories of many small pushes, whose packs are stored in rows of the database. */

import { randomBytes } from 'node:crypto';
import { createGitEngine, uploadPack, type PackFile, type PackId } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import type { HostedRepoState } from '@packhouse/hosting';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import { expect, it } from 'vitest';
import { blob, commit, pack, tree, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { openUnderFaults, packsFolder } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';
import { fetchBody, packOf, pushBody, set } from '@packhouse/conformance/tools/wire-client';

const portion = 8 * 1024 * 1024;

it('a clone asks for them in few portions, and the graph of a repository is kept once', async () => {
  const folder = makeFolder();
  const calls: { files: readonly PackFile[]; bytes: number }[] = [];
  const counting = (state: HostedRepoState): HostedRepoState =>
    new Proxy(state, {
      get(target, name) {
        if (name === 'rowFiles') {
          return async (ids: readonly PackId[], files: readonly PackFile[]) => {
            const rows = await target.rowFiles(ids, files);
            calls.push({ files, bytes: rows.reduce((sum, { bytes }) => sum + bytes.length, 0) });
            return rows;
          };
        }
        const method = Reflect.get(target, name) as unknown;
        return typeof method === 'function' ? method.bind(target) : method;
      },
    });
  const repository = await openUnderFaults({
    dataDir: folder,
    fileSystem: new FaultyFileSystem({ folders: [packsFolder(folder)] }),
    around: counting,
  });
  const engine = createGitEngine({ codec: nodeCodec() });
  const fetchAll = async (tip: MadeObject): Promise<Buffer> => {
    const snapshot = await repository.repo.state.snapshot();
    if (snapshot === undefined) throw new Error('no snapshot');
    const body = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      yield fetchBody([tip.oid], []);
    };
    const reply = await uploadPack(engine, repository.repo, snapshot, body(), {
      version: 2,
      hiddenRefs: [],
      bodyMax: 1_000_000,
      keepAlive: 60_000,
      failed: () => expect.unreachable(),
    });
    return packOf(Buffer.from(await new Response(reply.body as BodyInit).arrayBuffer()));
  };
  try {
    const pushes = 14;
    let tip: MadeObject | undefined;
    for (let i = 0; i < pushes; i++) {
      const file = blob(randomBytes(1_400_000));
      const root = tree({ file });
      const next = commit(String(i), root, tip === undefined ? [] : [tip]);
      const report = await repository.push(pushBody([set('refs/heads/main', next, tip)], pack(next, root, file)));
      expect(report).toEqual(['unpack ok', 'ok refs/heads/main']);
      tip = next;
      if (i > pushes - 4) await fetchAll(tip);
    }
    calls.length = 0;
    const sent = await fetchAll(tip as MadeObject);
    expect(sent.readUInt32BE(8)).toBe(3 * pushes);
    const reads = calls.filter(({ files }) => files.includes('pack'));
    expect(reads).toHaveLength(Math.ceil(pushes / Math.floor(portion / 1_400_000)));
    for (const { bytes } of reads) expect(bytes).toBeLessThanOrEqual(portion);
    const snapshot = await repository.repo.state.snapshot();
    const kept = snapshot?.packs.filter((pack) => engine.sets.get(pack) !== undefined);
    expect(kept).toEqual([snapshot?.packs.at(-1)]);
  } finally {
    repository.close();
    removeFolder(folder);
  }
});
