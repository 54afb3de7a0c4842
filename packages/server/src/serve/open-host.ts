import type { Hosting } from '@packhouse/hosting';
import type { KeptApiToken } from '../data-folder/api-token.ts';
import { holdFolder, openFolder } from './open-folder.ts';
import type { HostOptions } from './options.ts';
import type { Bindings } from './open-bindings.ts';

/** The service in the process of an app, on sockets of the app's own or on none. */
export interface Host {
  /** The bindings of the configuration by their names, for the first account (BIND-001, BIND-020). */
  readonly env: Bindings;
  /** Answers what the server would answer: REST, Git over HTTP, and the rest. Needs no socket. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The service itself, for bindings of other accounts and namespaces: `createBinding({ hosting, account, namespace })`. */
  readonly hosting: Hosting;
  /** The first account. */
  readonly account: string;
  /** Absent if a token was passed in. */
  readonly keptToken: KeptApiToken | undefined;
  /** Waits for work that goes on, and closes what is kept. Nothing works afterwards. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens a data folder without listening anywhere; on Node, Deno and Bun. One process at a time holds a folder.
 *
 * @throws {StartError} with a sentence and a hint for people.
 * @example
 * import { openHost } from '@packhouse/server';
 *
 * const host = await openHost({ data: './packhouse-data' });
 * const reply = await host.fetch(new Request('http://127.0.0.1:8787/healthz'));
 * console.log(reply.status);
 * await host.close();
 */
export async function openHost(options: HostOptions): Promise<Host> {
  const folder = holdFolder(options);
  let closing: Promise<void> | undefined;
  try {
    const ready = (): boolean => closing === undefined;
    const { service, hosting, keptToken, env } = await openFolder(options, folder, { ready });
    return {
      env,
      fetch: service.handler,
      hosting,
      account: folder.accounts[0],
      keptToken,
      close() {
        closing ??= service.close().finally(() => folder.release());
        return closing;
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}
