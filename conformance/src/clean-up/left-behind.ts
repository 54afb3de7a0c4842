import type { Dialect } from '../core/dialect.ts';

/** A namespace, or one repo in a namespace that the run did not create. */
interface Thing {
  readonly account: string;
  readonly namespace: string;
  readonly repo?: string;
  /** Names of the repos that were made in a namespace, for a service that cannot list them. */
  readonly made?: Set<string>;
}

export interface LeftBehindOptions {
  readonly origin: string;
  readonly dialect: Dialect;
  /** The prefix of all names in the run. */
  readonly prefix: string;
  /** API tokens by account. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly send: (request: Request) => Promise<Response>;
}

/** Requests in flight while cleaning up. */
const atOnce = 4;
/** Pages of a list that are read, so that a broken service does not keep a run going. */
const pagesMax = 100;
/** Seconds to wait for one reply to a removal, and the longest `Retry-After` that is honoured. */
const replyWait = 30;

/**
 * Tracks what a case creates, by watching its requests. A namespace whose name has the prefix of the run is removed
 * with its content, even if its creation was never answered. Other namespaces are removed only if this case created
 * them.
 */
export class LeftBehind {
  readonly #options: LeftBehindOptions;
  readonly #things = new Map<string, Thing>();
  readonly #making: RegExp;

  constructor(options: LeftBehindOptions) {
    this.#options = options;
    const { origin, dialect } = options;
    const base = escaped(`${origin}${dialect.basePath}/accounts/`);
    this.#making = new RegExp(
      `^${base}([^/?#]+)/${escaped(dialect.serviceSegment)}/namespaces(?:/([^/?#]+)/repos(?:/([^/?#]+)/(?:fork|import))?)?/?(?:[?#]|$)`,
    );
  }

  /** Remembers what a request is about to create. Call the result with the status of the reply. */
  watch(method: string, url: string, body: unknown): (status: number) => void {
    const [, account, inNamespace, asRepo] = this.#making.exec(url) ?? [];
    if (method.toUpperCase() !== 'POST' || account === undefined) return () => undefined;
    const named = bodyNames(body);
    const namespace = inNamespace === undefined ? named.namespace : decoded(inNamespace);
    if (namespace === undefined || !this.#options.tokens.has(account)) return () => undefined;
    const ours = namespace.toLowerCase().startsWith(this.#options.prefix.toLowerCase());
    const own = ours ? this.#add({ account, namespace, made: new Set() }) : undefined;
    return (status) => {
      if (status !== 201) return;
      const repo = named.name ?? (asRepo === undefined ? undefined : decoded(asRepo));
      if (own !== undefined) {
        if (repo !== undefined) own.made?.add(repo);
      } else if (inNamespace === undefined) this.#add({ account, namespace });
      else if (repo !== undefined) this.#add({ account, namespace, repo });
    };
  }

  /** Remembers `/namespaces/{namespace}` or `/namespaces/{namespace}/repos/{repo}` of an account. */
  addPath(account: string, path: string): void {
    const [, namespace, repo] = /^\/namespaces\/([^/]+)(?:\/repos\/([^/]+))?$/.exec(path) ?? [];
    if (namespace === undefined) throw new Error(`removeLater takes the path of a namespace or repo, not ${path}`);
    this.#add({
      account,
      namespace: decoded(namespace),
      ...(repo === undefined ? {} : { repo: decoded(repo) }),
    });
  }

  /** Remembers a repo in a namespace that the run did not create. */
  addRepo(account: string, namespace: string, repo: string): void {
    this.#add({ account, namespace, repo });
  }

  /** Removes everything remembered. Returns descriptions of what could not be removed. */
  async remove(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const thing of this.#things.values()) {
      try {
        if (thing.repo === undefined) await this.#removeNamespace(thing);
        else await this.#delete(thing.account, `/namespaces/${segment(thing.namespace)}/repos/${segment(thing.repo)}`);
      } catch (error) {
        const place = `${thing.account}/${thing.namespace}${thing.repo === undefined ? '' : `/${thing.repo}`}`;
        problems.push(`${place}: ${error instanceof Error ? error.message : 'unknown reason'}`);
      }
    }
    this.#things.clear();
    return problems;
  }

  async #removeNamespace({ account, namespace, made = new Set() }: Thing): Promise<void> {
    const path = `/namespaces/${segment(namespace)}`;
    let before: string | undefined;
    for (let pages = 0; ; pages++) {
      if (pages === pagesMax) throw new Error('the list of its repos has no end');
      const result = await this.#listed(account, `${path}/repos?limit=200`);
      if (result === undefined) {
        for (const name of made) await this.#delete(account, `${path}/repos/${segment(name)}`);
        break;
      }
      const [first] = result;
      if (first === undefined) break;
      if (first.name === before) throw new Error('a repo that was deleted is still listed');
      before = first.name;
      for (let at = 0; at < result.length; at += atOnce) {
        const some = result.slice(at, at + atOnce);
        await Promise.all(some.map(({ name }) => this.#delete(account, `${path}/repos/${segment(name)}`)));
      }
    }
    await this.#delete(account, path);
  }

  /** Returns a page of repos; undefined if the service has no such list. */
  async #listed(account: string, path: string): Promise<readonly { readonly name: string }[] | undefined> {
    const reply = await this.#send(account, 'GET', path);
    const body = (await reply.json().catch(() => null)) as { readonly result?: unknown } | null;
    const isList = reply.ok && Array.isArray(body?.result) && body.result.every((one) => typeof one?.name === 'string');
    return isList ? (body?.result as readonly { readonly name: string }[]) : undefined;
  }

  async #delete(account: string, path: string): Promise<void> {
    const { status, ok } = await this.#send(account, 'DELETE', path);
    if (!ok && status !== 404) throw new Error(`DELETE ${path} was answered ${status}`);
  }

  /** Sends a request. Retries once if the rate of a namespace is used up, for example by a case that tests the rate. */
  async #send(account: string, method: string, path: string): Promise<Response> {
    const { origin, dialect, tokens, send } = this.#options;
    const url = `${origin}${dialect.basePath}/accounts/${account}/${dialect.serviceSegment}${path}`;
    for (let waited = false; ; waited = true) {
      const reply = await send(
        new Request(url, {
          method,
          headers: { authorization: `Bearer ${tokens.get(account) ?? ''}` },
          signal: AbortSignal.timeout(replyWait * 1000),
        }),
      );
      if (method === 'DELETE') await reply.body?.cancel();
      const seconds = Number(reply.headers.get('retry-after'));
      if (reply.status !== 429 || waited || !(seconds <= replyWait)) return reply;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }

  #add(thing: Thing): Thing {
    const key = JSON.stringify([thing.account, thing.namespace, thing.repo ?? null]);
    const known = this.#things.get(key) ?? thing;
    this.#things.set(key, known);
    return known;
  }
}

/** Returns the names in the body of a request that creates something. */
function bodyNames(body: unknown): { readonly namespace?: string; readonly name?: string } {
  try {
    const parsed: unknown = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array));
    if (typeof parsed !== 'object' || parsed === null) return {};
    const { namespace, name } = parsed as Readonly<Record<string, unknown>>;
    return {
      ...(typeof namespace === 'string' ? { namespace } : {}),
      ...(typeof name === 'string' ? { name } : {}),
    };
  } catch {
    return {};
  }
}

function segment(name: string): string {
  return encodeURIComponent(name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Escapes a text for a regular expression that matches exactly this text. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
