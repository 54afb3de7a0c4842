/** LIM-059 for imports: what they hold does not grow with what the remote sends, nor with how fast it does. */

import { createGitEngine, importRemote } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { blob, commit, pack, tree } from '@packhouse/conformance/tools/made-objects';
import { noise } from '@packhouse/conformance/tools/noise';
import { FaultyFileSystem } from '@packhouse/storage/testing';
import { expect, it } from 'vitest';
import { openUnderFaults, packsFolder } from '../support/repository-under-faults.ts';
import { makeFolder, removeFolder } from '../support/test-server.ts';

const mebibyte = 1024 * 1024;
const line = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

/** Remotes that answer at once, and tell how much of the pack was asked for. */
function remoteOf(blobs: number): { readonly fetch: (request: Request) => Promise<Response>; sent: number } {
  const files = Array.from({ length: blobs }, (_, i) => blob(noise(mebibyte, i)));
  const root = tree(Object.fromEntries(files.map((file, i) => [String(i).padStart(3, '0'), file])));
  const tip = commit('large', root);
  const bytes = pack(tip, root, ...files);
  const replies = [
    `${line('version 2\n')}${line('fetch=shallow\n')}0000`,
    `${line(`${tip.oid} refs/heads/main\n`)}0000`,
    line('packfile\n'),
  ];
  let asked = 0;
  const remote = {
    sent: 0,
    async fetch(request: Request): Promise<Response> {
      const reply = Buffer.from(String(replies[asked++]));
      const kind = request.method === 'GET' ? 'advertisement' : 'result';
      const packets = function* (): Generator<Uint8Array> {
        yield reply;
        if (asked < 3) return;
        for (let at = 0; at < bytes.length; at += 65_000) {
          const part = bytes.subarray(at, at + 65_000);
          remote.sent += part.length;
          yield Buffer.concat([Buffer.from((part.length + 5).toString(16).padStart(4, '0')), Buffer.of(1), part]);
        }
        yield Buffer.from('0000');
      };
      const sending = packets();
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const { done, value } = sending.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
      });
      return new Response(body, { headers: { 'content-type': `application/x-git-upload-pack-${kind}` } });
    },
  };
  return remote;
}

/** Most bytes that an import holds, and most that a remote has sent beyond what is stored. */
async function heldBy(blobs: number): Promise<{ readonly reserved: number; readonly ahead: number }> {
  const folder = makeFolder();
  const { repo, close } = await openUnderFaults({
    dataDir: folder,
    partSize: mebibyte,
    fileSystem: new FaultyFileSystem({ folders: [packsFolder(folder)] }),
  });
  try {
    const engine = createGitEngine({ codec: nodeCodec(), memory: 64 * mebibyte, pageCache: 65_536 });
    const remote = remoteOf(blobs);
    let stored = 0;
    let ahead = 0;
    const { packs } = repo;
    const counting = new Proxy(packs, {
      get(target, name) {
        if (name !== 'upload') {
          const member: unknown = Reflect.get(target, name);
          return typeof member === 'function' ? member.bind(target) : member;
        }
        const upload: typeof packs.upload = async (...given) => {
          const begun = await target.upload(...given);
          return {
            ...begun,
            async write(index, part) {
              await begun.write(index, part);
              // A slow disk: what comes faster than this must wait with the remote.
              await new Promise((resolve) => setTimeout(resolve, 1));
              stored += part.length;
              ahead = Math.max(ahead, remote.sent - stored);
            },
            complete: (size) => begun.complete(size),
            abort: () => begun.abort(),
          };
        };
        return upload;
      },
    });
    const snapshot = await repo.state.snapshot();
    if (snapshot === undefined) throw new Error('no snapshot');
    const { push } = await importRemote(engine, { state: repo.state, packs: counting }, snapshot, {
      fetch: remote.fetch,
      url: new URL('https://remote.example/x.git'),
      branch: undefined,
      depth: undefined,
      agent: 'packhouse/test',
      time: { idle: 60_000, total: 60_000 },
      hiddenRefs: [],
      strictObjects: false,
      blobMax: 8 * mebibyte,
      objectMax: 8 * mebibyte,
      memoryMax: 64 * mebibyte,
      chainDepthMax: 50,
      chainMax: 2 ** 31,
      commitMax: 1 << 20,
      commitParentsMax: 1024,
      inflatedMax: 2 ** 32,
      graphMax: 1 << 24,
      repoStorageMax: 1024 * mebibyte,
      accountStorageLeft: async () => 1024 * mebibyte,
      pushId: 'import',
      now: () => Date.now(),
    });
    expect(push?.version).toBe(2);
    expect(stored).toBeGreaterThan(blobs * mebibyte);
    expect(engine.admission.reserved).toBe(0);
    return { reserved: engine.admission.reservedMost, ahead };
  } finally {
    close();
    removeFolder(folder);
  }
}

it('REPO-128, LIM-059: an import of four times as much holds no more, and reads no further ahead', async () => {
  const [less, more] = [await heldBy(5), await heldBy(20)];
  // Tables of objects are all that grows.
  expect(more.reserved - less.reserved).toBeLessThan(64 * 1024);
  expect(more.ahead).toBeLessThan(4 * mebibyte);
});
