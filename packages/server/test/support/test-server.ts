import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OnEvent, Outbound } from '@packhouse/hosting';
import type { ServerConfig } from '@packhouse/server';
import { serveNode, type Serving } from '@packhouse/server/node';

/** A server with its own data folder, with helpers for tests. */
export interface TestServer {
  readonly url: string;
  readonly data: string;
  readonly failures: readonly unknown[];
  readonly apiToken: string;
  /** One entry for each request that has ended. */
  readonly requests: Readonly<Record<string, unknown>>[];
  /** Makes a repo over REST. */
  createRepo(name: string, options?: Readonly<Record<string, unknown>>): Promise<TestRepo>;
  rest(method: string, path: string, body?: unknown): Promise<RestReply>;
  /**
   * Stops and starts again on the same data folder, from now on with another configuration if one is given.
   * `meanwhile` is called while no server holds the folder.
   */
  restart(changed?: ServerConfig, meanwhile?: () => void): Promise<void>;
  close(): Promise<void>;
}

/** A reply of the REST API. */
export interface RestReply {
  readonly status: number;
  readonly headers: Headers;
  readonly result: Record<string, unknown>;
  readonly errors: readonly { code: number; message: string; source?: { pointer: string } }[];
}

export interface TestRepo {
  readonly name: string;
  readonly id: string;
  readonly remote: string;
  readonly token: string;
  /** Arguments for stock `git` that carry the token. */
  readonly auth: readonly string[];
}

const apiToken = 'test-token-that-is-long-enough-0123456789';

/** A folder that is removed with {@link removeFolder}. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'packhouse-test-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** `outbound`: how imports reach others. Default: as the server itself has it. */
export async function startTestServer(
  config: ServerConfig = { settings: {} },
  outbound?: Outbound,
  onEvent?: OnEvent,
): Promise<TestServer> {
  const data = makeFolder();
  const failures: unknown[] = [];
  const requests: Readonly<Record<string, unknown>>[] = [];
  let port = 0;
  let current = config;
  const serve = async (): Promise<Serving> => {
    const serving = await serveNode({
      port,
      data,
      config: current,
      apiToken,
      ...(outbound === undefined ? {} : { outbound }),
      ...(onEvent === undefined ? {} : { onEvent }),
      log: (entry) => {
        if (entry['event'] === 'request') requests.push(entry);
        if (entry['level'] === 'error') failures.push(entry);
      },
    });
    port = Number(new URL(serving.url).port);
    return serving;
  };
  let serving = await serve();
  const base = `${serving.url}/v4/accounts/local/repos`;
  const rest: TestServer['rest'] = async (method, path, body) => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { result = {}, errors = [] } = text === '' ? {} : JSON.parse(text);
    return { status: response.status, headers: response.headers, result, errors };
  };
  return {
    url: serving.url,
    data,
    failures,
    requests,
    apiToken,
    rest,
    async createRepo(name, options = {}) {
      const { status, result } = await rest('POST', '/namespaces/default/repos', { name, ...options });
      if (status !== 201) throw new Error(`the repo was not created: ${status}`);
      const { id, remote, token } = result as { id: string; remote: string; token: string };
      return { name, id, remote, token, auth: ['-c', `http.extraHeader=Authorization: Bearer ${token}`] };
    },
    async restart(changed = current, meanwhile) {
      current = changed;
      await serving.close();
      meanwhile?.();
      serving = await serve();
      // Until the client of this process has noticed that its connections are gone, it would use them.
      while (
        !(await fetch(`${serving.url}/healthz`).then(
          (response) => response.ok,
          () => false,
        ))
      );
    },
    async close() {
      await serving.close();
      removeFolder(data);
    },
  };
}
