import type { BlobContent } from '@packhouse/git';
import { describe, expect, it } from 'vitest';
import { blobBytes, byteResponse } from './byte-response.ts';

const hash = '8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc';
const harmless = {
  'content-security-policy': "sandbox; default-src 'none'",
  etag: `"${hash}"`,
  'x-content-type-options': 'nosniff',
};

/** Makes a blob that records the calls of its methods. */
function noted(fails: { readonly body?: Error } = {}): { readonly blob: BlobContent; readonly done: string[] } {
  const done: string[] = [];
  const blob = {
    hash,
    size: 6,
    async body() {
      done.push('body');
      if (fails.body !== undefined) throw fails.body;
      return Buffer.from('a plan');
    },
    async release() {
      done.push('release');
    },
  } as unknown as BlobContent;
  return { blob, done };
}

async function answer(init: RequestInit, fails: { readonly body?: Error; readonly type?: Error } = {}) {
  const { blob, done } = noted(fails);
  const type = async (): Promise<string> => {
    done.push('type');
    if (fails.type !== undefined) throw fails.type;
    return 'text/plain; charset=utf-8';
  };
  const response = byteResponse(new Request('http://a/', init), blobBytes(blob, type), () => undefined);
  return { response, done };
}

describe('a reply of bytes', () => {
  it('REPO-146, REPO-150, REPO-151: has length, type and tag, and headers that keep browsers from running it', async () => {
    const { response, done } = await answer({});
    const { status, headers } = await response;
    const told = { ...harmless, 'content-length': '6', 'content-type': 'text/plain; charset=utf-8' };
    expect([status, Object.fromEntries(headers)]).toEqual([200, told]);
    expect(await (await response).text()).toBe('a plan');
    expect(done).toEqual(['type', 'body']);
  });

  it('REPO-039: has the same headers for HEAD, without reading the body', async () => {
    const { response, done } = await answer({ method: 'HEAD' });
    const { status, headers, body } = await response;
    const told = { ...harmless, 'content-length': '6', 'content-type': 'text/plain; charset=utf-8' };
    expect([status, Object.fromEntries(headers), body]).toEqual([200, told, null]);
    expect(done).toEqual(['type', 'release']);
  });

  it.each(['GET', 'HEAD'])('REPO-151: is 304 to %s if the client has the bytes, and reads nothing', async (method) => {
    const { response, done } = await answer({ method, headers: { 'if-none-match': `W/"${hash}"` } });
    const { status, headers, body } = await response;
    expect([status, Object.fromEntries(headers), body]).toEqual([304, harmless, null]);
    expect(done).toEqual(['release']);
  });

  it.each([{ type: new Error('type') }, { body: new Error('body') }])(
    'releases the blob if %j fails',
    async (fails) => {
      const { response, done } = await answer({}, fails);
      await expect(response).rejects.toThrow(Object.keys(fails)[0]);
      expect(done.at(-1)).toBe('release');
    },
  );
});
