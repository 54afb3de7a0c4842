import { listedRefs, type Remote } from '@packhouse/conformance/tools/wire-client';
import type { Facts } from './ledger.ts';

/** A reply of the REST API. */
export interface Reply {
  readonly status: number;
  readonly result: unknown;
  readonly cursor: string | undefined;
}

/** Returns the path of the repos, or of one repo, below the account. */
export const repoPath = (repo = ''): string => `/repos/namespaces/default/repos${repo === '' ? '' : `/${repo}`}`;

interface Repo {
  readonly name: string;
  readonly id: string;
  readonly default_branch: string;
  readonly source: string | null;
  readonly status: string;
}

interface Tagged {
  readonly type: string;
  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
}

/** A service whose state can be read. */
export interface Observed {
  /** Plaintexts of tokens that may write, by repo. */
  readonly tokens: Map<string, string>;
  /**
   * Sends a request to the REST API. `path`: the path below the account.
   *
   * @throws if the connection breaks.
   */
  rest(method: string, path: string, body?: unknown): Promise<Reply>;
  remote(repo: string): Remote;
}

/** Returns the fact about a repo itself. */
export function repoFact(defaultBranch: string, source: string | null): string {
  return JSON.stringify([defaultBranch, source?.replace(/:\d+/, '') ?? null]);
}

/** Returns the fact about the tags of a resource. */
export function tagsFact(tags: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(tags).toSorted());
}

/** Ids of tokens created to read a repo. No operation of the load created them. */
const ownTokens = new Set<string>();

/** Returns all namespaces, repos, refs, tokens and tags on the server. */
export async function observe(service: Observed): Promise<Facts> {
  const facts = new Map<string, string>();
  for (const { namespace } of await all<{ namespace: string }>(service, '/repos/namespaces?limit=200')) {
    facts.set(`namespace ${namespace}`, '');
  }
  const names = new Map<string, string>();
  for (const repo of await all<Repo>(service, `${repoPath()}?limit=200`)) {
    if (repo.status !== 'ready') {
      facts.set(`unfinished ${repo.name}`, repo.status);
      continue;
    }
    facts.set(`repo ${repo.name}`, repoFact(repo.default_branch, repo.source));
    names.set(repo.id, repo.name);
    await mintIfNone(service, repo.name);
    const { HEAD: _, ...refs } = await listedRefs(service.remote(repo.name));
    for (const [name, value] of Object.entries(refs)) facts.set(`ref ${repo.name} ${name}`, value.slice(0, 40));
    for (const { id, state } of await tokensOf(service, repo.name)) facts.set(`token ${repo.name} ${id}`, state);
  }
  for (const { type, id, tags } of await all<Tagged>(service, '/tags/resources?')) {
    facts.set(`tags ${type} ${names.get(id) ?? id}`, tagsFact(tags));
  }
  return facts;
}

async function mintIfNone(service: Observed, repo: string): Promise<void> {
  if (service.tokens.has(repo)) return;
  const minted = await service.rest('POST', '/repos/namespaces/default/tokens', { repo, scope: 'write' });
  const { id, plaintext } = okay(minted) as { readonly id: string; readonly plaintext: string };
  ownTokens.add(id);
  service.tokens.set(repo, plaintext);
}

async function tokensOf(
  service: Observed,
  repo: string,
): Promise<readonly { readonly id: string; readonly state: string }[]> {
  const listed = okay(await service.rest('GET', `${repoPath(repo)}/tokens?state=all&per_page=100`));
  return (listed as { readonly id: string; readonly state: string }[]).filter(({ id }) => !ownTokens.has(id));
}

/** Returns all rows of a list that is paged by cursor. */
async function all<Row>(service: Observed, path: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const reply = await service.rest('GET', cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
    rows.push(...(okay(reply) as readonly Row[]));
    cursor = reply.cursor === null || reply.cursor === '' ? undefined : reply.cursor;
  }
  return rows;
}

function okay({ status, result }: Reply): unknown {
  if (status >= 300) throw new Error(`a read was answered with ${status}`);
  return result;
}
