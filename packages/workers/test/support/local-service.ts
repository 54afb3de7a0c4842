import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiPermissions } from '@packhouse/router';
import { beyondBudget } from '@packhouse/workers/budget';
import {
  startLocalWorkerd,
  type LocalLogLine,
  type LocalWorkerd,
  type LocalWorkerdOptions,
} from '@packhouse/workers/local';

/** May do everything in the account `local`. */
export const apiToken = 'test-token-that-is-long-enough-0123456789';

/** A repo, and how to reach it. */
export interface TestRepo {
  readonly id: string;
  readonly name: string;
  /** With user and password. */
  readonly remote: string;
}

/** The Worker in workerd, with its log. */
export interface LocalService {
  readonly workerd: LocalWorkerd;
  readonly url: string;
  /** Folder of all data. */
  readonly folder: string;
  readonly lines: readonly LocalLogLine[];
  createRepo(name: string): Promise<TestRepo>;
  rest(method: string, path: string, body?: object): Promise<RestAnswer>;
  /** Lines of requests that end in `path`, once `count` of them have come since `from`. */
  requests(path: string, count: number, from?: number): Promise<readonly LocalLogLine[]>;
  /** @throws if a log line reports more memory or ranges than the budget of an isolate. */
  close(): Promise<void>;
}

/** The answer of a call of the control plane. */
interface RestAnswer {
  readonly status: number;
  readonly body: { readonly result: Record<string, unknown> };
}

/** Sends a request over a new connection: workerd may close an idle one just when it is used again. */
async function rest(url: string, method: string, path: string, body?: object): Promise<RestAnswer> {
  const response = await fetch(`${url}/v4/accounts/local/repos${path}`, {
    method,
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json', connection: 'close' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as RestAnswer['body'] };
}

/** Makes a repo in the namespace `default`. */
export async function createRepo(url: string, name: string): Promise<TestRepo> {
  const { status, body } = await rest(url, 'POST', '/namespaces/default/repos', { name });
  if (status !== 201) throw new Error(`${name} was not made: ${status} ${JSON.stringify(body)}`);
  const secret = String(body.result['token']).split('?')[0];
  const remote = `http://x:${secret}@${new URL(url).host}/git/local/default/${name}.git`;
  return { id: String(body.result['id']), name, remote };
}

/** Starts the Worker on its own folder, with settings and options in addition to the defaults. */
export async function startLocalService(
  settings: object = {},
  options: Partial<LocalWorkerdOptions> = {},
): Promise<LocalService> {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-workers-'));
  const lines: LocalLogLine[] = [];
  const workerd = await startLocalWorkerd({
    host: '127.0.0.1',
    port: 0,
    folder,
    // The form of remotes. The port is not known yet, so tests insert it later.
    config: { public_url: 'http://127.0.0.1:1', ...settings },
    apiTokens: [{ token: apiToken, account: 'local', permissions: apiPermissions }],
    log: (line) => lines.push(line),
    ...options,
  });
  const url = workerd.url.origin;
  return {
    workerd,
    url,
    folder,
    lines,
    rest: (method, path, body) => rest(url, method, path, body),
    createRepo: (name) => createRepo(url, name),
    async requests(path, count, from = 0) {
      for (let waited = 0; ; waited += 1) {
        const found = lines.slice(from).filter((line) => String(line['path']).endsWith(path));
        if (found.length >= count) return found;
        if (waited > 200) throw new Error(`${found.length} of ${count} requests to ${path} are in the log`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    async close() {
      await workerd.close();
      await rm(folder, { recursive: true, force: true });
      const beyond = lines.flatMap((line) => beyondBudget(line) ?? []);
      if (beyond.length > 0) throw new Error(`more was taken than an isolate has: ${beyond.join(', ')}`);
    },
  };
}
