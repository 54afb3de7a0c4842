import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchOrigin } from '@packhouse/problem-details';
import { type NoConnection, startNoConnection } from './no-connection.ts';

/** The class of Node's dispatcher, whose limits can be set. It exists once `fetch` was used. */
type Dispatcher = new (options: { connect?: { timeout: number }; headersTimeout?: number }) => object;

async function dispatcherOfNode(): Promise<Dispatcher> {
  await fetch('data:,');
  const current = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')];
  if (typeof current !== 'object' || current === null) throw new Error('this Node has no dispatcher');
  return current.constructor as Dispatcher;
}

describe.runIf(process.platform === 'linux')('an origin that accepts no connection', () => {
  let origin: NoConnection;
  beforeAll(async () => {
    origin = await startNoConnection();
  });
  afterAll(() => origin.close());

  it('ERR-134 ERR-158: is reported by a fetch with a limit for connecting', async () => {
    const Agent = await dispatcherOfNode();
    const init = { dispatcher: new Agent({ connect: { timeout: 300 } }) } as RequestInit;
    await expect(fetchOrigin(origin.url, init)).rejects.toMatchObject({
      code: 522,
      cause: { cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } },
    });
  });

  it('ERR-136 ERR-159: is distinguished from a silent origin by a fetch with both limits', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const Agent = await dispatcherOfNode();
    const init = { dispatcher: new Agent({ connect: { timeout: 5000 }, headersTimeout: 300 }) } as RequestInit;
    const { port } = silent.address() as AddressInfo;
    await expect(fetchOrigin(`http://127.0.0.1:${port}/`, init)).rejects.toMatchObject({
      code: 524,
      cause: { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } },
    });
    silent.close();
  });

  it('ERR-140: is not distinguished from a silent origin by a fetch without limits', async () => {
    const limits = { connectTimeout: 0.1, readTimeout: 0.2 };
    await expect(fetchOrigin(origin.url, {}, limits)).rejects.toMatchObject({ code: 502 });
  });
});
