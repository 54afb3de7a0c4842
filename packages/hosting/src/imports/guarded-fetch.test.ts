import { describe, expect, it } from 'vitest';
import { guardedFetch } from './guarded-fetch.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'git.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'inside.example': ['10.1.2.3'],
  'both.example': ['93.184.216.34', '127.0.0.1'],
  'nothing.example': [],
  localhost: ['127.0.0.1', '::1'],
};

async function sent(url: string, allowed: readonly string[] = []): Promise<readonly string[] | undefined> {
  let used: readonly string[] | undefined;
  const fetch = guardedFetch(
    {
      lookup: async (host) => {
        const found = names[host];
        if (found === undefined) throw new Error('ENOTFOUND');
        return found;
      },
      fetch: async (_, addresses) => {
        used = addresses;
        return new Response();
      },
    },
    allowed,
  );
  await fetch(new Request(url));
  return used;
}

describe('guardedFetch', () => {
  it('REPO-129: sends requests to the checked addresses', async () => {
    expect(await sent('https://git.example/x')).toEqual(names['git.example']);
    expect(await sent('https://8.8.8.8/x')).toEqual(['8.8.8.8']);
    expect(await sent('https://[2606:2800::1]/x')).toEqual(['2606:2800::1']);
  });

  it.each([
    'https://inside.example/x',
    'https://both.example/x',
    'https://localhost/x',
    'https://LOCALHOST/x',
    'https://127.0.0.1/x',
    'https://127.1/x',
    'https://0x7f000001/x',
    'https://2130706433/x',
    'https://017700000001/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://[fe80::1]/x',
    'https://169.254.169.254/latest/meta-data',
    'https://0/x',
    'http://git.example/x',
  ])('REPO-129: refuses %s', async (url) => {
    await expect(sent(url)).rejects.toMatchObject({ code: 'not a remote' });
  });

  it('REPO-128: fails for a name without an address', async () => {
    await expect(sent('https://nothing.example/x')).rejects.toMatchObject({ code: 'unreachable' });
    await expect(sent('https://unknown.example/x')).rejects.toThrow('ENOTFOUND');
  });

  it('REPO-129: exempts hosts that import_allow lists, and no others', async () => {
    const allowed = ['LocalHost', '127.0.0.1', '[::1]', 'inside.example'];
    for (const url of ['https://localhost:8443/x', 'https://127.0.0.1/x', 'https://[::1]/x', 'https://inside.example/'])
      expect(await sent(url, allowed)).toBeUndefined();
    await expect(sent('https://127.0.0.2/x', allowed)).rejects.toMatchObject({ code: 'not a remote' });
    await expect(sent('http://localhost/x', allowed)).rejects.toMatchObject({ code: 'not a remote' });
  });
});
