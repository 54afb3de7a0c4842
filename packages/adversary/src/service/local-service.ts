import { targetAt, type HostileTarget, type Send } from '@packhouse/fixtures/hostile';
import { failureRecord } from '@packhouse/base';
import { createGitEngine, type Codec, type GitEngine, type GitEngineOptions } from '@packhouse/git';
import { nodeCodec } from '@packhouse/git/codec-node';
import { neutral, type Hosting, type RepoStorage } from '@packhouse/hosting';
import { listedTokens, packhouse, type ServiceSettings } from '@packhouse/router';
import { memoryStorage } from '@packhouse/storage';
import { nodeStorage } from '@packhouse/storage/node';
import { countingCodec } from './counting-codec.ts';

export interface LocalOptions {
  /** A folder for SQLite and files. Default: everything is in memory. */
  readonly data?: string;
  readonly settings?: Partial<ServiceSettings>;
  readonly engine?: Partial<Omit<GitEngineOptions, 'codec'>>;
  /** Default: the codec for Node. */
  readonly codec?: Codec;
  /** Answers the requests of imports. Default: an error. */
  readonly remote?: (request: Request) => Promise<Response>;
}

/** The whole service in this process, without sockets. */
export interface LocalService {
  readonly engine: GitEngine;
  readonly hosting: Hosting;
  readonly storage: RepoStorage;
  /** The work requested of the codec, in the form of the scheduler's totals. */
  readonly asked: Float64Array;
  readonly target: HostileTarget;
  readonly send: Send;
  /** Origin and token for requests without {@link LocalService.target}. */
  readonly origin: string;
  readonly apiToken: string;
  /** Ids of the repositories created over REST. */
  readonly repos: readonly string[];
  /** Failures reported since it was opened; a hostile input must cause none. */
  readonly failures: readonly unknown[];
  close(): Promise<void>;
}

const origin = 'http://127.0.0.1';
const apiToken = 'a-token-that-is-long-enough-0123456789';

export function openLocalService(given: LocalOptions = {}): LocalService {
  const { data, settings, engine: options, remote } = given;
  const { codec, amounts } = countingCodec(given.codec ?? nodeCodec());
  const engine = createGitEngine({ codec, ...options });
  const failures: unknown[] = [];
  const repos: string[] = [];
  const storage = data === undefined ? memoryStorage() : nodeStorage({ dataDir: data });
  const tokens = listedTokens([{ token: apiToken, account: 'local', permissions: ['edit', 'tag.write'] }], neutral);
  const { hosting, fetch, close } = packhouse({
    storage,
    engine,
    outbound: {
      // A public address, so that imports are allowed; nothing leaves the process.
      lookup: () => Promise.resolve(['93.184.215.14']),
      fetch: (request) => (remote ?? noRemote)(request),
    },
    authorize: (token) => tokens.authorize(token),
    settings: { public_url: origin, rate_rest: many, rate_git: many, rate_tags: many, ...settings },
    failed(error, requestId) {
      const record = failureRecord(error, requestId);
      if (record.level !== 'warn') failures.push(record);
    },
  });
  const send: Send = async (method, url, headers, body) => {
    const init = body === undefined ? {} : { body: asFromSocket(body), duplex: 'half' };
    const response = await fetch(new Request(url, { method, headers, ...init } as RequestInit));
    const reply = new Uint8Array(await response.arrayBuffer());
    const made =
      response.status === 201 ? /"result":\{"id":"(\w+)"/.exec(Buffer.from(reply).toString())?.[1] : undefined;
    if (made !== undefined) repos.push(made);
    return { status: response.status, headers: response.headers, body: reply };
  };
  return {
    engine,
    hosting,
    asked: amounts,
    storage: storage.repos,
    target: targetAt(origin, apiToken, 'local', send),
    send,
    origin,
    apiToken,
    repos,
    failures,
    close,
  };
}

/** Bytes per read of a socket. */
const chunkSize = 64 * 1024;

/** Returns a body as a socket delivers it: in chunks, each in a separate turn of the event loop. */
function asFromSocket(body: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      controller.enqueue(body.slice(at, (at += chunkSize)));
      if (at >= body.length) controller.close();
    },
  });
}

function noRemote(): Promise<Response> {
  return Promise.reject(new Error('there is no remote'));
}

const many = { requests: 1_000_000_000, seconds: 1 };
