import type { Mock } from '../../src/index.ts';
import { send, type Reply } from './clocked-mock.ts';
import { bare, pushRequest, refsRequest, restRequest } from './steps.ts';

const account = '/v4/accounts/local';
const repos = `${account}/repos/namespaces`;

/** Returns the whole content of a mock, read internally. */
export async function held({ store, faults }: Mock): Promise<unknown> {
  const { inspect } = store;
  const all: unknown[] = [await inspect.namespaces(), await inspect.tags(), faults.current];
  for (const { namespace } of await inspect.namespaces()) {
    for (const repo of await inspect.repos(namespace)) {
      const key = `${namespace}/${repo.name}`;
      const refs = await inspect.refs(key);
      const content = Object.keys(refs).length === 0 ? [] : await inspect.file(key, 'a.txt').catch(String);
      all.push([repo, refs, await inspect.tokens(key), content]);
    }
  }
  return all;
}

/** Returns everything observable of a mock: its content, its replies, the next ids, and the rest of its rates. */
export async function seen(mock: Mock, secrets: readonly string[] = []): Promise<unknown> {
  const { origin } = new URL(mock.restUrl);
  const first = await held(mock);
  const replies: Reply[] = [];
  const ask = async (method: string, path: string, body?: object): Promise<void> => {
    replies.push(await send(mock.handlers, restRequest(origin, method, path, body)));
  };
  await ask('GET', repos);
  await ask('GET', `${repos}/default/repos`);
  await ask('GET', `${repos}/default/repos/notes/log`);
  await ask('GET', `${repos}/default/repos/notes/tokens`);
  await ask('GET', `${account}/tags/summary`);
  await ask('GET', `${account}/tags/resources`);
  await ask('GET', '/cdn-cgi/error/522');
  // Every earlier token is unknown.
  for (const secret of secrets) replies.push(await send(mock.handlers, refsRequest(mock, 'notes', secret)));
  await ask('POST', `${repos}/default/repos`, { name: 'after' });
  const token = bare(await mock.store.createToken('notes'));
  replies.push(await send(mock.handlers, refsRequest(mock, 'notes', token)));
  replies.push(await send(mock.handlers, pushRequest(mock, 'notes', 'after', token)));
  const left = [
    await leftOf(mock, () => restRequest(origin, 'GET', `${repos}/default`)),
    await leftOf(mock, () => restRequest(origin, 'GET', `${account}/tags/keys`)),
    await leftOf(mock, () => refsRequest(mock, 'notes', token)),
  ];
  return { first, replies, token, left, last: await held(mock) };
}

/** Returns how many more requests the service answers before a rate is used up. */
async function leftOf(mock: Mock, request: () => Parameters<typeof send>[1]): Promise<number> {
  for (let count = 0; count < 100; count++) {
    if ((await send(mock.handlers, request())).status === 429) return count;
  }
  return Infinity;
}
