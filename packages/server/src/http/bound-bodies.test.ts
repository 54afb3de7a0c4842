import { describe, expect, it } from 'vitest';
import { boundBodies } from './bound-bodies.ts';

const each = 100_000;

interface Sent {
  readonly token?: string;
  /** The length that is announced. Default: none, as for chunks. */
  readonly length?: number;
  /** Default `POST`, with a body. */
  readonly method?: 'GET';
}

/** A handler that answers when `finish` is called, bounded to `memory` bytes of bodies. */
function bounded(memory: number): { ask: (sent?: Sent) => Promise<Response>; finish: () => void } {
  const waiting: (() => void)[] = [];
  const handler = (): Promise<Response> =>
    new Promise((resolve) => void waiting.push(() => resolve(new Response('done'))));
  const bodies = boundBodies({ fallbackHost: 'a.test', handler }, memory, each);
  return {
    ask({ token = 'a', length, method } = {}) {
      const headers = { authorization: token, ...(length !== undefined && { 'content-length': String(length) }) };
      const init = method === undefined ? { method: 'POST', body: 'x' } : { method };
      return bodies.handler(new Request('http://a.test/', { ...init, headers }));
    },
    finish: () => waiting.splice(0).forEach((answer) => answer()),
  };
}

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('LIM-080: memory for bodies that are being received', () => {
  it('refuses a body beyond it with 503 and Retry-After, until others have ended', async () => {
    const { ask, finish } = bounded(10 * each);
    const admitted = times(10, (i) => ask({ token: `t${i}` }));
    const refused = await ask();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    expect(await refused.text()).toBe('The service is overloaded. Please retry.');
    finish();
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual(admitted.map(() => 200));
    const later = ask();
    finish();
    expect((await later).status).toBe(200);
  });

  it('gives one token half of it', async () => {
    const { ask, finish } = bounded(10 * each);
    const admitted = times(5, () => ask());
    expect((await ask()).status).toBe(503);
    admitted.push(ask({ token: 'b' }));
    finish();
    for (const reply of await Promise.all(admitted)) expect(reply.status).toBe(200);
  });

  it('counts a body by its length, up to what a runtime buffers', async () => {
    const { ask } = bounded(10 * each);
    for (let i = 0; i < 8; i++) void ask({ token: `t${i}`, length: 1_000_000_000 });
    void ask({ token: 'a', length: each / 2 });
    void ask({ token: 'b', length: each });
    expect((await ask({ token: 'c', length: each })).status).toBe(503);
    const more = ask({ token: 'c', length: each / 2 });
    expect(await Promise.race([more, Promise.resolve('admitted')])).toBe('admitted');
  });

  it('always admits eight bodies, and requests with a small body or none', async () => {
    const { ask, finish } = bounded(0);
    const admitted = times(8, (i) => ask({ token: `t${i % 2}` }));
    expect((await ask({ token: 't2' })).status).toBe(503);
    admitted.push(...times(100, () => ask({ length: 16_384 })), ask({ method: 'GET' }));
    finish();
    for (const reply of await Promise.all(admitted)) expect(reply.status).toBe(200);
  });
});
