import { createClient, PackhouseError, type BodyOf, type Client, type Repo, type ResultOf } from '@packhouse/client';
import { CliError, isBroken, shown, type Invocation, type Io } from '@packhouse/command';
import { alreadyExists, connectionError, failure, type About } from './failure.ts';
import { serviceOf } from './options.ts';

/** A longer pause before a retry is left to the user, in milliseconds. */
const longestPause = 15_000;

interface AboutCall extends About {
  /** For a call that creates something: looks up how the service spells the name of the existing one. May reject. */
  readonly spelling?: () => Promise<string>;
}

/** The service that the options name. */
export interface Api {
  readonly client: Client;
  /**
   * Resolves as the call does.
   *
   * @throws {CliError} for each failure of the call.
   */
  readonly settle: <Result>(call: Promise<Result>, about: AboutCall) => Promise<Result>;
}

/** @param attempts Most attempts for one request. Default: that of the client. */
export function apiOf(invocation: Invocation, io: Io, { attempts = 4 }: { readonly attempts?: number } = {}): Api {
  const service = serviceOf(invocation, io);
  const failed = { base: service.url, account: service.account, program: io.program };
  return {
    client: createClient({
      ...service,
      attempts,
      fetch: io.fetch,
      // Where nothing answers, the user should know at once.
      onRetry(reason, pause) {
        const isRefused = reason instanceof PackhouseError;
        if (pause > longestPause || !(isRefused || isBroken(reason))) throw reason;
        const text = isRefused ? shown(reason.message).replace(/\.$/, '') : 'The connection broke off';
        if (pause >= 1000) io.err(`${text}. Trying again in ${Math.ceil(pause / 1000)} seconds.\n`);
      },
    }),
    async settle(call, { spelling, ...about }) {
      try {
        return await call;
      } catch (error) {
        const isTaken = error instanceof PackhouseError && error.code === alreadyExists;
        const taken = isTaken ? await spelling?.().catch(() => undefined) : undefined;
        throw failure(error, { ...failed, ...about, taken });
      }
    },
  };
}

type More = Pick<AboutCall, 'explain' | 'spelling'>;

/** A repo that the options name, and the words of error messages for it. */
export interface NamedRepo extends About {
  readonly repo: Repo;
  readonly create: (repo: Omit<BodyOf<'createRepo'>, 'name'>) => Promise<ResultOf<'createRepo'>>;
  /** Resolves as a call about the repo does; see {@link Api.settle}. */
  readonly settle: <Result>(call: Promise<Result>, more?: More) => Promise<Result>;
  /** Reads the repo without retries. */
  readonly look: () => Promise<ResultOf<'getRepo'>>;
  /** Looks up how the service spells the name. */
  readonly spelling: () => Promise<string>;
}

export function repoOf(
  invocation: Invocation,
  io: Io,
  name: string = invocation.argument('NAME'),
  namespace: string = invocation.text('namespace') ?? '',
): NamedRepo {
  const { client, settle } = apiOf(invocation, io);
  const repo = client.repo(namespace, name);
  const subject = `repo "${name}" in namespace "${namespace}"`;
  const lookUp = `"${io.program} repo list --namespace ${namespace}" shows those there are.`;
  const look = (): Promise<ResultOf<'getRepo'>> =>
    apiOf(invocation, io, { attempts: 1 }).client.repo(namespace, name).info();
  const spelling = async (): Promise<string> => (await look()).name;
  return {
    repo,
    subject,
    lookUp,
    look,
    spelling,
    create: (members) => settle(client.repos(namespace).create({ ...members, name }), { subject, lookUp, spelling }),
    settle: (call, more) => settle(call, { subject, lookUp, ...more }),
  };
}

/**
 * Passes the bytes of a reply on as they arrive.
 *
 * @throws {CliError} if the connection breaks off, or that of `write`.
 */
export async function receive(
  { body }: Response,
  write: (bytes: ReadableStream<Uint8Array>) => Promise<void>,
  invocation: Invocation,
  { program }: Io,
): Promise<void> {
  try {
    if (body !== null) await write(body);
  } catch (error) {
    throw error instanceof CliError ? error : connectionError(error, { base: invocation.text('url') ?? '', program });
  }
}

/** Calls `use` with each item of a list, as it arrives. */
export async function each<Item>(items: AsyncIterable<Item>, use: (item: Item) => void): Promise<void> {
  for await (const item of items) use(item);
}

/** Collects the items of a list, up to `max`. */
export async function all<Item>(items: AsyncIterable<Item>, max: number = Infinity): Promise<readonly Item[]> {
  const collected: Item[] = [];
  for await (const item of items) {
    collected.push(item);
    if (collected.length >= max) break;
  }
  return collected;
}
