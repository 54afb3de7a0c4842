import type { Hosting } from '@packhouse/hosting';
import type { KeptApiToken } from '../data-folder/api-token.ts';
import { holdFolder, openFolder } from './open-folder.ts';
import type { HostOptions } from './options.ts';
import type { Bindings } from './open-bindings.ts';

/** The service inside the process of an app. It opens no sockets: the app calls `fetch` or serves it itself. */
export interface Host {
  /** The bindings of the configuration by name, for the first account (BIND-001, BIND-020). */
  readonly env: Bindings;
  /** Answers every request as the server does: REST, Git over HTTP, and the rest. Needs no socket. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * The service itself, for bindings of other accounts and namespaces: `createBinding({ hosting, account, namespace
   * })`.
   */
  readonly hosting: Hosting;
  /** The first account. */
  readonly account: string;
  /** Undefined if the caller passed a token. */
  readonly keptToken: KeptApiToken | undefined;
  /** Waits for running work, then closes the storage and releases the folder. The host is unusable then. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens a data folder on Node, Deno or Bun, without listening. Only one process at a time can hold a folder.
 *
 * @throws {StartError} with a message and a hint for the operator.
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
