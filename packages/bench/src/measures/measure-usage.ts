import { fetchPack } from '../client/fetch.ts';
import { pushPack } from '../client/push.ts';
import type { UsageRow } from '../report/row.ts';
import type { Bench } from './bench.ts';
import { makeSmallPushes } from './small-pushes.ts';
import { fetchOfNewest } from './source.ts';

/**
 * Measures the cost of the requests that carry packs, on each server that reports it. The earlier requests of a `git
 * push` or `git clone` cost one object call each.
 */
export const measureUsage = async ({ contenders, source }: Bench): Promise<UsageRow[]> => {
  const [small] = await makeSmallPushes(source, 1, 'usage');
  if (small === undefined) throw new Error('No small push was made');
  const newest = await fetchOfNewest(source);
  const rows: UsageRow[] = [];
  for (const { name, server } of contenders) {
    const { usageOf } = server;
    if (usageOf === undefined) continue;
    const add = async (title: string, service: 'git-upload-pack' | 'git-receive-pack', work: () => Promise<unknown>) =>
      rows.push({ server: name, title, usage: await usageOf(service, work) });
    const remote = await server.createRepository('usage');
    await add('first push of everything', 'git-receive-pack', () => pushPack(remote, source.changes, source.packFile));
    await add('full clone of one pack', 'git-upload-pack', () => fetchPack(remote, source.clone));
    await add('fetch of the last 1 %', 'git-upload-pack', () => fetchPack(remote, newest));
    await add('push of one small commit', 'git-receive-pack', () => pushPack(remote, [small.change], small.packFile));
    await add('full clone of two packs', 'git-upload-pack', () => fetchPack(remote, source.clone));
    await server.removeRepository('usage');
  }
  return rows;
};
