import { neutral } from '@packhouse/hosting';
import { createMock } from '@packhouse/msw';
import { packhouse } from '@packhouse/router';
import { memoryStorage } from '@packhouse/storage';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { asyncCallsPerSecond } from '../measures/calls-per-second.ts';
import { interleave } from '../measures/rounds.ts';
import type { Row } from '../report/row.ts';

const account = 'local';
const repos = 20;
const mocked = 'https://mocked.example.test';
const fixed = 'https://fixed.example.test';
const served = 'https://served.example.test';
const headers = { authorization: 'Bearer any', accept: 'application/json' };

/** The contenders. The first is the baseline. */
export const requestContenders = ['mock', 'service without MSW', 'static handler'] as const;

/**
 * Measures lists of repos per second of processor time: of a mock through MSW, of the service alone, and of a handler
 * with a fixed reply.
 */
export const measureRequests = async (rounds: number): Promise<Row> => {
  const names = Array.from({ length: repos }, (_, number) => `repo-${number}`);
  const settings = { rate_rest: { requests: 1_000_000_000, seconds: 1 } };
  const mock = createMock({
    baseUrl: mocked,
    settings,
    seed: { repos: Object.fromEntries(names.map((name) => [name, {}])) },
  });
  const list = `${new URL(mock.restUrl).pathname}/namespaces/default/repos`;
  const service = await serviceOf(names, settings);
  const body = await textOf(service(new Request(`${served}${list}`, { headers })));
  // MSW tries the handlers in order; the static handler is the first one.
  const server = setupServer(
    http.get(`${fixed}${list}`, () => new HttpResponse(body, { headers: { 'content-type': 'application/json' } })),
    ...mock.handlers,
  );
  server.listen();
  try {
    const asks: readonly (() => Promise<string>)[] = [
      () => textOf(fetch(`${mocked}${list}`, { headers })),
      () => textOf(service(new Request(`${served}${list}`, { headers }))),
      () => textOf(fetch(`${fixed}${list}`, { headers })),
    ];
    const contenders = asks.map((ask, i) => ({ name: requestContenders[i] as string, ask }));
    for (const { name, ask } of contenders) {
      const { result } = JSON.parse(await ask()) as { readonly result: readonly unknown[] };
      if (result.length !== repos) throw new Error(`${name} lists ${result.length} repos in place of ${repos}`);
    }
    const samples = await interleave(contenders, rounds, ({ ask }) => asyncCallsPerSecond(ask));
    return { name: 'list', title: `a list of ${repos} repos`, unit: 'requests/s', samples, gitStarts: 0 };
  } finally {
    server.close();
  }
};

const textOf = async (reply: Promise<Response>): Promise<string> => {
  const response = await reply;
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return text;
};

/** Returns the same service over storage in memory, from `Request` to `Response`. */
const serviceOf = async (
  names: readonly string[],
  settings: { readonly rate_rest: { readonly requests: number; readonly seconds: number } },
): Promise<(request: Request) => Promise<Response>> => {
  const { hosting, fetch } = packhouse({
    storage: memoryStorage(),
    authorize: async () => [{ account, permission: neutral.permissions.edit }],
    settings: { ...settings, accounts: [account], public_url: served },
    failed(error) {
      throw error;
    },
  });
  for (const name of names) await hosting.repos.create(account, 'default', { name });
  return fetch;
};
