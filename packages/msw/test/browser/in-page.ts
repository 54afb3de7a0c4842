import LightningFS from '@isomorphic-git/lightning-fs';
import * as git from 'isomorphic-git';
import http from 'isomorphic-git/http/web';
import { setupWorker } from 'msw/browser';
import { createMock } from '../../src/index.ts';

/** The results of using a mock in a page. */
export interface InPage {
  readonly namespaces: unknown;
  readonly created: number;
  readonly tags: unknown;
  readonly error: readonly unknown[];
  readonly limited: readonly unknown[];
  readonly dropped: string;
  readonly cloned: string;
  readonly pushed: boolean;
  readonly tooLong: number;
  readonly elsewhere: string;
}

/** Uses every area of a mock through the service worker. */
export async function runInPage(): Promise<InPage> {
  const mock = createMock({
    baseUrl: 'https://api.example.test',
    seed: {
      namespaces: ['drafts'],
      repos: { notes: { files: { 'README.md': '# Notes\n', 'docs/one.md': 'One\n' } } },
      tags: [{ repo: 'notes', tags: { env: 'test' } }],
    },
  });
  const worker = setupWorker(...mock.handlers);
  await worker.start({ quiet: true, serviceWorker: { url: '/mockServiceWorker.js' } });
  const headers = { authorization: 'Bearer any', 'content-type': 'application/json', accept: 'application/json' };
  const namespaces = `${mock.restUrl}/namespaces`;
  const create = (body: string): Promise<Response> => fetch(namespaces, { method: 'POST', headers, body });
  const ask = (url: string): Promise<Response> => fetch(url, { headers });
  const listed = (await (await ask(namespaces)).json()) as { result: readonly { namespace: string }[] };
  const created = await create(JSON.stringify({ namespace: 'made' }));
  const tags = (await (await ask('https://api.example.test/v4/accounts/local/tags/keys')).json()) as {
    result: unknown;
  };
  const error = await ask('https://api.example.test/cdn-cgi/error/522');
  const { error_code: code } = (await error.json()) as { error_code: number };

  mock.faults.add({ kind: 'rate limit', retryAfter: 7, times: 1 }, { kind: 'dropped connection', times: 1 });
  const limited = await ask(namespaces);
  const dropped = await ask(namespaces).then(
    () => 'a reply',
    (failure: Error) => failure.name,
  );

  const fs = new LightningFS('clones', { wipe: true });
  const [password = ''] = (await mock.store.createToken('notes')).split('?');
  const remote = {
    fs,
    http,
    dir: '/clone',
    url: mock.store.remote('notes'),
    onAuth: () => ({ username: 'x', password }),
  };
  await fs.promises.mkdir('/clone');
  await git.clone(remote);
  const cloned = String(await fs.promises.readFile('/clone/docs/one.md', 'utf8'));
  await fs.promises.writeFile('/clone/more.md', 'More\n');
  await git.add({ fs, dir: '/clone', filepath: 'more.md' });
  const oid = await git.commit({
    fs,
    dir: '/clone',
    message: 'More',
    author: { name: 'Ada', email: 'ada@example.com' },
  });
  await git.push(remote);
  const result: InPage = {
    namespaces: listed.result.map(({ namespace }) => namespace).toSorted(),
    created: created.status,
    tags: tags.result,
    error: [error.status, code],
    limited: [limited.status, limited.headers.get('retry-after')],
    dropped,
    cloned,
    pushed: (await mock.store.inspect.refs('notes'))['refs/heads/main'] === oid,
    tooLong: (await create(' '.repeat(2_000_000))).status,
    elsewhere: await (await fetch('/elsewhere')).text(),
  };
  worker.stop();
  return result;
}
