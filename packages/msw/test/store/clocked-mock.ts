import { getResponse, type HttpHandler } from 'msw';
import { createMock, type Ids, type Mock, type MockOptions } from '../../src/index.ts';

/** Returns ids that are the same from each start on. */
export function countedIds(): Ids {
  let count = 0;
  const next = (length: number): string => (++count).toString(16).padStart(length, '0');
  return { id: () => next(16), secret: () => next(40), requestId: () => next(16) };
}

/** Rates that a few requests use up, in a window longer than any test. */
export const lowRates = {
  rate_rest: { requests: 30, seconds: 86_400 },
  rate_git: { requests: 12, seconds: 86_400 },
  rate_tags: { requests: 10, seconds: 86_400 },
} as const;

/** Creates a mock without randomness. */
export function clockedMock(options: MockOptions): Mock {
  return createMock({ createIds: countedIds, settings: lowRates, ...options });
}

/** A request that is sent without a server of MSW. */
export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  readonly signal?: AbortSignal;
}

/** The outcome of a request as comparable text, without the random ray ids of the platform. */
export interface Reply {
  readonly status: number | 'no handler' | 'dropped' | 'failed';
  readonly headers: readonly string[];
  readonly text: string;
}

export async function send(handlers: readonly HttpHandler[], { url, ...init }: Sent): Promise<Reply> {
  const nothing = { headers: [], text: '' };
  let response: Response | undefined;
  try {
    response = await getResponse([...handlers], new Request(url, init));
  } catch (error) {
    return { ...nothing, status: 'failed', text: String(error) };
  }
  if (response === undefined) return { ...nothing, status: 'no handler' };
  if (response.type === 'error') return { ...nothing, status: 'dropped' };
  const text = await response.text();
  const ray = /\b[0-9a-f]{16}\b/g;
  const isRandom = response.headers.get('content-security-policy') !== null || text.includes('"ray_id"');
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return isRandom
    ? {
        status: response.status,
        headers: headers.map((line) => line.replaceAll(ray, '')),
        text: text.replaceAll(ray, ''),
      }
    : { status: response.status, headers, text };
}
