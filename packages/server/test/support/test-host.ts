import type { Repos } from '@packhouse/binding';
import type { Dialect } from '@packhouse/hosting';
import type { ServerConfig } from '@packhouse/router';
import { openHost, type Host } from '@packhouse/server';
import { makeFolder, removeFolder } from './test-server.ts';

/** The service in this process over its own folder, with helpers for tests. */
export interface TestHost {
  readonly host: Host;
  /** The binding `REPOS`, of the namespace `default`. */
  readonly repos: Repos;
  readonly failures: readonly unknown[];
  /** Asks REST about the namespace `default`; `path` follows `/repos`. */
  rest(method: string, path: string, body?: unknown): Promise<TestReply>;
  /** A fetch function for `push` of the conformance suite. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

export interface TestReply {
  readonly status: number;
  readonly result: unknown;
  readonly info: Readonly<Record<string, unknown>>;
  readonly code: number | undefined;
  readonly bytes: Buffer;
}

const apiToken = 'test-token-that-is-long-enough-0123456789';

export async function openTestHost(settings: ServerConfig['settings'] = {}, dialect?: Dialect): Promise<TestHost> {
  const data = makeFolder();
  const failures: unknown[] = [];
  const entries = [{ binding: 'REPOS', namespace: 'default' }];
  const host = await openHost({
    data,
    apiToken,
    config: { settings, ...(dialect?.name === 'cloudflare' ? { artifacts: entries } : { repos: entries }) },
    ...(dialect && { dialect }),
    log: (entry) => {
      if (entry['level'] === 'error') failures.push(entry);
    },
  });
  const { dialect: used, settings: all } = host.hosting;
  const base = `${all.public_url}${used.basePath}/accounts/${host.account}/${used.serviceSegment}/namespaces/default`;
  const send: TestHost['fetch'] = (url, init) => host.fetch(new Request(url, init));
  return {
    host,
    repos: host.env['REPOS'] as Repos,
    failures,
    fetch: send,
    async rest(method, path, body) {
      const response = await send(`${base}${path}`, {
        method,
        headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const isJson = response.headers.get('content-type') === 'application/json';
      const { result, result_info: info = {}, errors = [] } = isJson ? JSON.parse(bytes.toString()) : {};
      return { status: response.status, result, info, code: errors[0]?.code, bytes };
    },
    async close() {
      await host.close();
      removeFolder(data);
    },
  };
}
