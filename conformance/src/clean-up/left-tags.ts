import { escaped } from './left-behind.ts';
import { waitOut } from '../service/wait-out.ts';

export interface LeftTagsOptions {
  /** Origin and base path of the REST API. */
  readonly base: string;
  /** Every name of the run begins with it. */
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
  /** Body of the request that removes them. */
  readonly body: string;
}

/** Requests in flight while cleaning up. */
const atOnce = 4;
/** Milliseconds that one answer to a removal may take. */
const patience = 30_000;

/** There is one of them for everybody, which may have had tags before. */
const shared = new Set(['account', 'zone']);

/**
 * Tags that a case made, seen from the requests that it sent. Those of a resource whose id has the prefix of the run are
 * removed also if nobody heard whether they were made.
 */
export class LeftTags {
  readonly #options: LeftTagsOptions;
  readonly #making: RegExp;
  readonly #made = new Map<string, TagRecord>();
  /** Requests that are not answered, or never will be. */
  readonly #unheard = new Set<TagRecord>();

  constructor(options: LeftTagsOptions) {
    this.#options = options;
    this.#making = new RegExp(`^(${escaped(options.base)}/(accounts|zones)/([^/?#]+)/tags)(?:[?#]|$)`);
  }

  /** Remembers what a request is about to make; the answer takes the status of the reply. */
  watch(method: string, url: string, body: unknown): (status: number) => void {
    const [, path, kind, owner] = this.#making.exec(url) ?? [];
    if (method.toUpperCase() !== 'PUT' || path === undefined || owner === undefined) return () => undefined;
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

  /** Removes everything remembered. Answers, in words, what could not be removed. */
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
          // What is refused as an input was refused when it was to be made, too.
          const neverMade = unheard.has(record) && status === 400;
          if (status !== 204 && !neverMade) problems.push(`tags of ${record.body}: DELETE was answered ${status}`);
        } catch (error) {
          // Where nothing answers, nothing will answer for the others.
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
      const signal = AbortSignal.timeout(patience);
      const reply = await this.#options.send(new Request(url, { method: 'DELETE', headers, body, signal }));
      await reply.body?.cancel();
      return reply;
    };
    const wait = async (milliseconds: number): Promise<void> =>
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return (await waitOut(send, wait)).status;
  }
}

/** The resource that a body names, and the body without tags. */
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
