import { type Dialect, neutral } from '@packhouse/hosting';
import type { ServiceSettings } from '../settings/service-settings.ts';
import { memoryTagStores } from '@packhouse/tagging';
import { testService, type Reply, type TestService } from '../test-service.test.util.ts';

/** A service with tagging, whose account `a1` has the zone `z1`. */
export interface TestTags extends TestService {
  /** Sends a request below `{base path}/accounts/a1`, or below `{base path}` if the path begins with `/zones/`. */
  ask(method: string, path: string, options?: AskOptions): Promise<Reply>;
}

export interface AskOptions {
  /** Sends a string unchanged and any other value as JSON. The type is `application/json` unless `headers` has one. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Default: `tag-write`. Null sends no token. */
  readonly token?: string | null;
}

export function testTags(
  options: { readonly dialect?: Dialect; readonly settings?: Partial<ServiceSettings> } = {},
): TestTags {
  const { dialect = neutral, settings = {} } = options;
  const service = testService({
    dialect,
    settings: { zones: { z1: 'a1', z2: 'a2' }, ...settings },
    tags: memoryTagStores(),
  });
  return {
    ...service,
    async ask(method, path, { body, headers = {}, token = 'tag-write' } = {}) {
      const at = path.startsWith('/zones/') ? path : `/accounts/a1${path}`;
      const response = await service.send(`${dialect.basePath}${at}`, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: text === '' ? undefined : JSON.parse(text),
      } as Reply;
    },
  };
}

/** Status, code and message of a failure. */
export function failed({ status, json }: Reply): readonly unknown[] {
  const { code, message } = json.errors[0] ?? {};
  return [status, code, message];
}
