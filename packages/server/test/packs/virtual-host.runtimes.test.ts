import dns from 'node:dns';
import { startS3Server } from '@packhouse/fixtures/s3';
import { expect, it, vi } from 'vitest';
import { openPackPlace, type OpenedPlace } from '../../src/service/open-pack-place.ts';

it('REPO-400: stores in a bucket that is in the host of addresses, if the operator chooses so', async () => {
  const server = await startS3Server('fauxqs');
  const resolve = dns.lookup as (name: string, ...rest: readonly unknown[]) => void;
  const names = new Set<string>();
  // Not every system resolves the names below `localhost`.
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string, ...rest: readonly unknown[]) => {
    names.add(name);
    resolve(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest);
  }) as typeof dns.lookup);
  const endpoint = `http://s3.localhost:${new URL(server.endpoint).port}`;
  const opened: OpenedPlace[] = [];
  const open = async (addressing?: 'virtual'): Promise<OpenedPlace> => {
    const access = { ...server.credentials, endpoint, addressing };
    const place = await openPackPlace({ kind: 'bucket', bucket: server.bucket, prefix: 'main', access });
    opened.push(place);
    return place;
  };
  try {
    const { place, names: listed } = await open('virtual');
    await place.mark('a1');
    expect(await place.isMarked('a1')).toBe(true);
    const pages: (readonly string[])[] = [];
    for await (const page of listed()) pages.push(page);
    expect(pages).toEqual([['database-a1']]);
    expect([...names]).toEqual(['packs.s3.localhost']);
    // The store reads the bucket from the host alone, like stores that demand such addresses.
    await expect((await open()).place.mark('a1')).rejects.toThrow('404 NoSuchBucket');
  } finally {
    for (const place of opened) place.close();
    await server.close();
  }
});
