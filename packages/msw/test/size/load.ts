import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import type { HttpHandler } from 'msw';

/** A module that Node loads, and the bytes of its source. */
export type LoadedModule = readonly [url: string, bytes: number];

/** The modules loaded for an entry, and those loaded later when a mock is created and used. */
export interface Loaded {
  readonly imported: readonly LoadedModule[];
  readonly used: readonly LoadedModule[];
}

/** The entries. Each returns a function that creates a mock and sends requests. */
const entries: Readonly<Record<string, () => Promise<() => Promise<void>>>> = {
  async index() {
    const { createMock } = await import('../../src/index.ts');
    return async () => {
      const { handlers, store } = createMock({ baseUrl, seed: { repos: { notes: { files: { a: 'a' } } } } });
      await store.createToken('notes');
      await ask(handlers, '/v4/accounts/local/repos/namespaces/default/repos/notes', 200);
      await ask(handlers, '/cdn-cgi/error/522', 522);
    };
  },
  async tagging() {
    const { createTaggingMock } = await import('../../src/tagging.ts');
    return async () => {
      const { handlers, store, faults } = createTaggingMock({
        baseUrl,
        seed: { tags: [{ type: 'worker', id: 'w1', tags: { env: 'prod' } }] },
        faults: [{ kind: 'platform error', code: 522, times: 1 }],
      });
      await ask(handlers, '/v4/accounts/local/tags/resources', 522);
      await ask(handlers, '/v4/accounts/local/tags/resources?tag=env=prod', 200);
      faults.add({ kind: 'rate limit', retryAfter: 1, times: 1 });
      await ask(handlers, '/v4/accounts/local/tags/summary', 429);
      await ask(handlers, '/v4/accounts/local/tags', 200, {
        method: 'PUT',
        body: JSON.stringify({ resource_type: 'worker', resource_id: 'w2', tags: { a: 'b' } }),
      });
      await store.reset();
    };
  },
  async errors() {
    const { createErrorsMock } = await import('../../src/errors.ts');
    return async () => {
      const { handlers } = createErrorsMock({ baseUrl });
      await ask(handlers, '/cdn-cgi/error/522', 522);
    };
  },
};

const baseUrl = 'https://api.example.test';

// Loaded first, so that the modules of MSW are not counted.
const { getResponse } = await import('msw');

async function ask(
  handlers: readonly HttpHandler[],
  path: string,
  status: number,
  init: RequestInit = {},
): Promise<void> {
  const headers = { authorization: 'Bearer any', 'content-type': 'application/json', accept: 'application/json' };
  const response = await getResponse([...handlers], new Request(`${baseUrl}${path}`, { headers, ...init }));
  if (response?.status !== status) throw new Error(`${path}: ${response?.status} ${await response?.text()}`);
  await response.text();
}

const loaded: LoadedModule[] = [];
registerHooks({
  load(url, context, next) {
    const result = next(url, context);
    if (!url.startsWith('node:')) {
      const source = result.source ?? undefined;
      loaded.push([url, source === undefined ? statSync(new URL(url)).size : Buffer.byteLength(source)]);
    }
    return result;
  },
});
const use = await entries[process.argv[2] ?? '']?.();
const imported = loaded.splice(0);
await use?.();
process.stdout.write(JSON.stringify({ imported, used: loaded } satisfies Loaded));
