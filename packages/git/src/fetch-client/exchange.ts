import { countedChunks } from '../work/counted-chunks.ts';
import type { Work } from '../work/scheduler.ts';
import type { GitService } from '../wire/capabilities.ts';
import type { Patience } from './patience.ts';
import { RemoteError } from './remote-error.ts';

/** Sends one request out of this service. It must not follow redirects, and may ignore the request's signal. */
export type Fetch = (request: Request) => Promise<Response>;

/** A connection to a remote. */
export interface Connection {
  readonly fetch: Fetch;
  /** URL of the repository, without a final slash. Ignores query and fragment. */
  readonly url: URL;
  /** Agent name of this side: printable ASCII without spaces. */
  readonly agent: string;
  readonly patience: Patience;
  /** Counts the bytes of replies. */
  readonly work: Work;
}

const service: GitService = 'git-upload-pack';
/** Statuses below 500 that mean a temporary failure, so that a client may retry. */
const failingBelow500: readonly number[] = [408, 421, 425, 429];

/**
 * Requests the refs, in version 2 if the remote supports it. Returns the body of the reply.
 *
 * @throws {RemoteError}
 */
export function getDiscovery(connection: Connection): Promise<AsyncIterable<Uint8Array>> {
  const url = below(connection.url, 'info/refs');
  url.search = `?service=${service}`;
  return exchange(connection, url, { method: 'GET' }, `application/x-${service}-advertisement`);
}

/**
 * Sends one request of upload-pack. Returns the body of the reply.
 *
 * @throws {RemoteError}
 */
export function postRequest(
  connection: Connection,
  version: 0 | 1 | 2,
  body: Uint8Array,
): Promise<AsyncIterable<Uint8Array>> {
  const result = `application/x-${service}-result`;
  const headers = {
    accept: result,
    'content-type': `application/x-${service}-request`,
    ...(version > 0 ? { 'git-protocol': `version=${version}` } : {}),
  };
  const init = { method: 'POST', headers, body: body as BodyInit };
  return exchange(connection, below(connection.url, service), init, result);
}

async function exchange(
  { fetch, agent, patience, work }: Connection,
  url: URL,
  { headers = { 'git-protocol': 'version=2' }, ...init }: RequestInit & { headers?: Readonly<Record<string, string>> },
  mediaType: string,
): Promise<AsyncIterable<Uint8Array>> {
  patience.check();
  const request = new Request(url, {
    ...init,
    // Some hosts serve Git's protocol only to clients that look like Git.
    headers: { ...headers, 'user-agent': `git/${agent.replaceAll('/', '-')}`, 'cache-control': 'no-cache' },
    redirect: 'manual',
    signal: patience.signal,
  });
  const response = await patience.wait(fetch(request)).catch((error: unknown) => {
    if (error instanceof RemoteError) throw error;
    throw new RemoteError('unreachable', 'the remote cannot be reached', { cause: error });
  });
  const refusal = refusalOf(response, url, mediaType);
  if (refusal === undefined) return countedChunks(bodyOf(response, patience), work);
  await response.body?.cancel().catch(() => {});
  throw refusal;
}

function refusalOf(response: Response, url: URL, mediaType: string): RemoteError | undefined {
  const { status } = response;
  const refused = (code: RemoteError['code'], text: string): RemoteError => new RemoteError(code, text, { status });
  // Browsers hide redirects, with status 0.
  if ((status >= 300 && status < 400) || response.type === 'opaqueredirect') return redirection(response, url);
  if (status === 401 || status === 403) return refused('authentication', `the remote answered ${status}`);
  if (status === 404 || status === 410) return refused('not found', `the remote answered ${status}`);
  if (status >= 500 || failingBelow500.includes(status)) return refused('failing', `the remote answered ${status}`);
  if (status !== 200) return refused('not a remote', `the remote answered ${status}`);
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  return type === mediaType ? undefined : refused('not a remote', 'the reply is not one of smart HTTP');
}

/** Reports a move like Git: the repository has moved if its `info/refs` has. */
function redirection(response: Response, url: URL): RemoteError {
  const tail = '/info/refs';
  const given = response.headers.get('location');
  const target = given !== null && URL.canParse(given, url) ? new URL(given, url) : undefined;
  let location: URL | undefined;
  if (target?.pathname.endsWith(tail) === true && url.pathname.endsWith(tail)) {
    location = new URL(target);
    location.pathname = target.pathname.slice(0, -tail.length);
    location.search = '';
    location.hash = '';
  }
  return new RemoteError('redirected', 'the remote redirects', { status: response.status, location });
}

function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/${path}`;
  url.search = '';
  url.hash = '';
  return url;
}

async function* bodyOf(response: Response, patience: Patience): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await patience.wait(reader.read()).catch((error: unknown) => {
        if (error instanceof RemoteError) throw error;
        throw new RemoteError('broken off', 'the connection to the remote broke', { cause: error });
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Do not await: a remote that sends nothing may not end either.
    reader.cancel().catch(() => {});
  }
}
