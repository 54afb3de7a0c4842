import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallHistory } from '../generate/history.ts';
import { writeGeneratedRepository } from '../generate/repository.ts';
import { runGit, runGitForBytes } from '../internal/run-git.ts';
import { pushEverything } from '../measures/bench.ts';
import { checkCompleteFetch } from '../measures/complete.ts';
import { makeSmallPushes } from '../measures/small-pushes.ts';
import { fetchOfNewest, fetchOfOne, tipOfHead, openSource, type Source } from '../measures/source.ts';
import { listRefsWithGit } from '../measures/stock-client.ts';
import type { Server } from '../servers/server.ts';
import { startStockGit } from '../servers/stock-git.ts';
import { fetchPack, listRefs } from './fetch.ts';
import { flushPkt, pkt } from './pkt-line.ts';
import { noObject, pushPack } from './push.ts';
import { closeConnections, type Remote } from './remote.ts';

describe('the plain client, with stock git http-backend', () => {
  let folder: string;
  let source: Source;
  let server: Server;
  let remote: Remote;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packhouse-client-'));
    await writeGeneratedRepository(smallHistory, join(folder, 'origin.git'));
    source = await openSource(join(folder, 'origin.git'), folder, 'source');
    server = await startStockGit({ bitmaps: false });
    remote = await pushEverything(server, 'small', source);
  });
  afterAll(async () => {
    closeConnections();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('pushes and lists all refs', async () => {
    expect(await listRefs(remote)).toBe(source.changes.length + 1);
    expect(await listRefsWithGit(remote)).toBe(source.changes.length);
  });

  it('gets complete packs for a clone and for fetches', async () => {
    await checkCompleteFetch(remote, source, source.clone);
    await checkCompleteFetch(remote, source, await fetchOfNewest(source, 10));
    const branch = { wants: [await tipOfHead(source)], haves: [] };
    await checkCompleteFetch(remote, source, { ...branch, isShallow: true });
    await checkCompleteFetch(remote, source, { ...branch, filter: 'blob:none' });
    await checkCompleteFetch(remote, source, { ...branch, isShallow: true, filter: 'tree:0' });
    await checkCompleteFetch(remote, source, await fetchOfOne(source));
  });

  it('notices a valid pack that lacks objects', async () => {
    const commits = await runGit(['rev-list', '--all'], { cwd: source.path });
    const pack = await runGitForBytes(['pack-objects', '--stdout', '-q'], { cwd: source.path, input: commits });
    const answer = createServer((request, response) => {
      request.resume();
      response.write(pkt('packfile\n'));
      for (let at = 0; at < pack.length; at += 1000) {
        const band = Buffer.concat([Buffer.of(1), pack.subarray(at, at + 1000)]);
        response.write((band.length + 4).toString(16).padStart(4, '0'));
        response.write(band);
      }
      response.end(flushPkt);
    });
    answer.listen(0, '127.0.0.1');
    await once(answer, 'listening');
    const { port } = answer.address() as AddressInfo;
    const lacking: Remote = { url: `http://127.0.0.1:${port}/x.git`, headers: {} };
    expect(await fetchPack(lacking, source.clone)).toBe(pack.length);
    await expect(checkCompleteFetch(lacking, source, source.clone)).rejects.toThrow(/bad|missing/);
    answer.close();
    answer.closeAllConnections();
  });

  it('fails if the server refuses to send', async () => {
    const wanted = { wants: [noObject], haves: [] };
    await expect(fetchPack(remote, wanted)).rejects.toThrow('not our ref');
  });

  it('fails if a push is refused', async () => {
    const [push] = await makeSmallPushes(source, 1, 'refused');
    if (!push) throw new Error('No push');
    const stale = { ...push.change, ref: source.changes[0]?.ref ?? '', from: push.change.to };
    await expect(pushPack(remote, [stale], push.packFile)).rejects.toThrow('refused');
    await pushPack(remote, [push.change], push.packFile);
    expect(await listRefsWithGit(remote)).toBe(source.changes.length + 1);
  });
});
