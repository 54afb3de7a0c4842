import { escaped } from './left-behind.ts';
import { waitOut } from '../service/wait-out.ts';

export interface LeftTagsOptions {
  /** Origin and base path of the REST API. */
  readonly base: string;
  /** The prefix of all names in the run. */
  readonly prefix: string;
  /** API tokens by account, and by zone. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly zoneTokens: ReadonlyMap<string, string>;
  readonly send: (request: Request) => Promise<Response>;
}

/** The tags of one resource. */
interface TagRecord {
  readonly url: string;
  readonly token: string;
  /** The body of the request that removes the tags. */
  readonly body: string;
}

/** Requests in flight while cleaning up. */
const atOnce = 4;
/** Milliseconds to wait for one reply to a removal. */
const replyWait = 30_000;

/** Types with a single resource, which may have had tags before the run. */
const shared = new Set(['account', 'zone']);

/**
 * Tracks the tags that a case sets, by watching its requests. Tags of a resource whose id has the prefix of the run are
 * removed even if the reply never arrived.
 */
export class LeftTags {
  readonly #options: LeftTagsOptions;
  readonly #making: RegExp;
  readonly #made = new Map<string, TagRecord>();
  /** Requests without a reply so far. */
  readonly #unheard = new Set<TagRecord>();

  constructor(options: LeftTagsOptions) {
    this.#options = options;
    this.#making = new RegExp(`^(${escaped(options.base)}/(accounts|zones)/([^/?#]+)/tags)(?:[?#]|$)`);
  }

  /** Remembers the tags that a request is about to set. Call the result with the status of the reply. */
  watch(method: string, url: string, body: unknown): (status: number) => void {
    const [, path, kind, owner] = this.#making.exec(url) ?? [];
    if (path === undefined || owner === undefined) return () => undefined;
    if (method.toUpperCase() === 'DELETE') return this.#watchRemoval(path, body);
    if (method.toUpperCase() !== 'PUT') return () => undefined;
    const token = (kind === 'zones' ? this.#options.zoneTokens : this.#options.tokens).get(owner);
    const named = identityIn(body);
    if (token === undefined || named === undefined || shared.has(named.type)) return () => undefined;
    const record = { url: path, token, body: named.identity };
    const ours = named.id.includes(this.#options.prefix);
    if (ours) this.#unheard.add(record);
    return (status) => {
      this.#unheard.delete(record);
      if (status === 200) this.#made.set(`${path} ${named.identity}`, record);
    };
  }

  /** Forgets a record that the case removes by itself, unless the case sets it again meanwhile. */
  #watchRemoval(path: string, body: unknown): (status: number) => void {
    const key = `${path} ${identityIn(body)?.identity}`;
    const record = this.#made.get(key);
    return (status) => {
      if (status === 204 && record !== undefined && this.#made.get(key) === record) this.#made.delete(key);
    };
  }

  /** Removes all remembered tags. Returns descriptions of what could not be removed. */
  async remove(): Promise<readonly string[]> {
    const unheard = new Set(this.#unheard);
    const waiting = [...this.#made.values(), ...unheard];
    this.#made.clear();
    this.#unheard.clear();
    const problems: string[] = [];
    const next = async (): Promise<void> => {
      for (let record = waiting.shift(); record !== undefined; record = waiting.shift()) {
        try {
          const status = await this.#delete(record);
          // If the service rejects the removal as invalid, it also rejected the request that set the tags.
          const neverMade = unheard.has(record) && status === 400;
          if (status !== 204 && !neverMade) problems.push(`tags of ${record.body}: DELETE was answered ${status}`);
        } catch (error) {
          // The service does not answer, so skip the remaining removals.
          const others = waiting.splice(0).length;
          const why = error instanceof Error ? error.message : 'unknown reason';
          problems.push(`tags of ${record.body}${others === 0 ? '' : ` and of ${others} more`}: ${why}`);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    return problems;
  }

  async #delete({ url, token, body }: TagRecord): Promise<number> {
    const send = async (): Promise<Response> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(replyWait);
      const reply = await this.#options.send(new Request(url, { method: 'DELETE', headers, body, signal }));
      await reply.body?.cancel();
      return reply;
    };
    const wait = async (milliseconds: number): Promise<void> =>
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return (await waitOut(send, wait)).status;
  }
}

/** Returns the resource that a body names, and the body that removes its tags. */
function identityIn(
  body: unknown,
): { readonly type: string; readonly id: string; readonly identity: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array));
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    const { tags: _, ...identity } = parsed as Readonly<Record<string, unknown>>;
    const { resource_type: type, resource_id: id } = identity;
    if (typeof type !== 'string' || typeof id !== 'string') return undefined;
    return { type, id, identity: JSON.stringify(identity) };
  } catch {
    return undefined;
  }
}
