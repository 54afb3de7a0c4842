/** Runs as a separate process. Its argument is a way of using mocks; it prints what they leave behind, as JSON. */
import { getResponse } from 'msw';
import { setupServer } from 'msw/node';
import { createErrorsMock } from '../../src/errors.ts';
import { createMock, type Mock } from '../../src/index.ts';
import { countedIds, send } from './clocked-mock.ts';
import { bare, pushRequest, refsRequest } from './steps.ts';
import { createTaggingMock } from '../../src/tagging.ts';

/** The report of the process at its end. */
export interface LeftBehind {
  /** Services that were opened, and how many of them are still in memory. */
  readonly opened: number;
  readonly alive: number;
  /** Timers that keep the process from ending. */
  readonly timers: number;
  readonly unhandled: readonly string[];
}

const baseUrl = 'https://api.example.test';
const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
const unhandled: string[] = [];
process.on('unhandledRejection', (reason) => void unhandled.push(String(reason)));

/** Each service gets separate ids, and holds them while it is in memory. */
const services: WeakRef<object>[] = [];
function createIds(): ReturnType<typeof countedIds> {
  const ids = countedIds();
  services.push(new WeakRef(ids));
  return ids;
}

const alive = (): number => services.filter((service) => service.deref() !== undefined).length;

const seed = {
  repos: { notes: { files: { 'a.txt': 'a\n', 'b.bin': new Uint8Array(2000).map((_, at) => (at * 7919) >> 3) } } },
  tags: [{ type: 'worker', id: 'w1', tags: { a: 'b' } }],
};
const server = setupServer();

/** Uses a mock as a client does, but without sockets, which hold their last replies for a while. */
async function use(mock: Mock): Promise<void> {
  const url = `${mock.restUrl}/namespaces`;
  const get = { method: 'GET', url, headers };
  await send(mock.handlers, { ...get, method: 'POST', body: '{"namespace":"new"}' });
  await send(mock.handlers, { ...get, url: `${baseUrl}/v4/accounts/local/tags/keys` });
  const token = bare(await mock.store.createToken('notes'));
  await send(mock.handlers, refsRequest(mock, 'notes', token));
  await send(mock.handlers, pushRequest(mock, 'notes', 'more', token));
  mock.faults.add({ kind: 'rate limit', retryAfter: 1, times: 1 }, { kind: 'dropped connection', times: 1 });
  for (let time = 0; time < 2; time++) await send(mock.handlers, get);

  // Aborted before its reply, and during it.
  const left = new AbortController();
  mock.faults.add({ kind: 'latency', milliseconds: 2_000_000_000, times: 1 });
  const running = send(mock.handlers, { ...get, signal: left.signal });
  await new Promise((resolve) => setTimeout(resolve, 1));
  left.abort();
  await running;
  const raw = new Request(`${url}/default/repos/notes/raw/main/b.bin`, { headers });
  await (await getResponse([...mock.handlers], raw))?.body?.cancel();
}

const ways: Readonly<Record<string, () => Promise<void>>> = {
  async mocks() {
    for (let number = 0; number < 200; number++) {
      const mock = createMock({ baseUrl, seed, createIds });
      if (number % 8 === 0) await use(mock);
    }
  },
  async resets() {
    const mock = createMock({ baseUrl, seed, createIds });
    for (let number = 0; number < 200; number++) {
      if (number % 8 === 0) await use(mock);
      await mock.store.reset();
    }
    kept.push(mock);
  },
  async forgotten() {
    const mock = createMock({ baseUrl, seed, createIds });
    void mock.store.seed({ namespaces: ['not fine'] });
    await mock.store.ready();
  },
  async failures() {
    const broken = createMock({ baseUrl, seed: { namespaces: ['not fine'] }, createIds });
    void broken.store.seed({}).catch(() => {});
    void broken.store.reset().catch(() => {});
    createTaggingMock({ baseUrl, seed: { tags: [{ type: 'none', id: 'x', tags: {} }] } });
    const errors = createErrorsMock({ baseUrl, faults: [{ kind: 'latency', milliseconds: 2_000_000_000 }] });
    server.use(...errors.handlers);
    const waiting = fetch(`${baseUrl}/cdn-cgi/error/522`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    errors.reset();
    await (await waiting).text();
  },
};
const kept: unknown[] = [];

const way = ways[process.argv[2] ?? ''];
if (way !== undefined) {
  server.listen({ onUnhandledFrame: 'error' });
  await way();
  server.close();
  for (let time = 0; time < 100 && (time < 3 || alive() > 1); time++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    (globalThis as { readonly gc?: () => void }).gc?.();
  }
  const left: LeftBehind = {
    opened: services.length,
    alive: alive(),
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    unhandled,
  };
  process.stdout.write(JSON.stringify(left));
}
