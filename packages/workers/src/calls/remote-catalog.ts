import type { PackId } from '@packhouse/git';
import type {
  Catalog,
  DeletedRepo,
  DeleteOutcome,
  NamespaceRecord,
  NewRepo,
  RepoContent,
  RepoList,
  RepoRecord,
  ReserveOutcome,
  Slice,
  TokenLine,
  Touch,
} from '@packhouse/hosting';
import type { RoomMemory } from '../service/room-memory.ts';
import { callObject, type CallOptions } from './call-object.ts';
import type { CatalogCalls } from './catalog-calls.ts';

/** Where an account's object is, and who pays. */
export interface RemoteCatalogOptions extends Pick<CallOptions<CatalogCalls>, 'stub' | 'usage'> {
  readonly account: string;
  /** Answers `storedBytes` without a call where that is good enough. Default: never. */
  readonly room?: RoomMemory;
}

/**
 * The catalog of an account in its object: one method, one call. Those that answer otherwise the second time are
 * called once; what they leave half-done, the sweep undoes.
 */
export class RemoteCatalog implements Catalog {
  readonly #options: RemoteCatalogOptions;

  constructor(options: RemoteCatalogOptions) {
    this.#options = options;
  }

  createNamespace(name: string, jurisdiction: string, at: number): Promise<'created' | 'exists' | 'deleting'> {
    return this.#once((calls, account) => calls.createNamespace(account, name, jurisdiction, at));
  }

  namespace(name: string): Promise<NamespaceRecord | undefined> {
    return this.#repeatable((calls, account) => calls.namespace(account, name));
  }

  namespaces(slice: Slice): Promise<readonly NamespaceRecord[]> {
    return this.#repeatable((calls, account) => calls.namespaces(account, slice));
  }

  countNamespaces(): Promise<number> {
    return this.#repeatable((calls, account) => calls.countNamespaces(account));
  }

  deleteNamespace(name: string): Promise<'deleted' | 'missing' | 'not empty' | 'deleting'> {
    return this.#once((calls, account) => calls.deleteNamespace(account, name));
  }

  reserveRepo(repo: NewRepo, token: TokenLine): Promise<ReserveOutcome> {
    if (repo.status !== 'creating') this.#forgetRoom();
    return this.#once((calls, account) => calls.reserveRepo(account, repo, token));
  }

  publishRepo(id: string, found?: RepoContent): Promise<boolean> {
    if (found !== undefined) this.#forgetRoom();
    return this.#repeatable((calls, account) => calls.publishRepo(account, id, found));
  }

  renewRepo(id: string, at: number): Promise<boolean> {
    return this.#repeatable((calls, account) => calls.renewRepo(account, id, at));
  }

  repo(namespace: string, name: string): Promise<RepoRecord | undefined> {
    return this.#repeatable((calls, account) => calls.repo(account, namespace, name));
  }

  repoById(id: string): Promise<RepoRecord | undefined> {
    return this.#repeatable((calls, account) => calls.repoById(account, id));
  }

  repos(namespace: string, list: RepoList, slice: Slice): Promise<readonly RepoRecord[]> {
    return this.#repeatable((calls, account) => calls.repos(account, namespace, list, slice));
  }

  countRepos(namespace: string, search: string): Promise<number> {
    return this.#repeatable((calls, account) => calls.countRepos(account, namespace, search));
  }

  deleteRepo(namespace: string, name: string, at: number, rememberedSince: number): Promise<DeleteOutcome> {
    return this.#repeatable((calls, account) => calls.deleteRepo(account, namespace, name, at, rememberedSince));
  }

  dropRepo(id: string, at: number): Promise<DeletedRepo | undefined> {
    return this.#once((calls, account) => calls.dropRepo(account, id, at));
  }

  unfinished(before: number): Promise<readonly RepoRecord[]> {
    return this.#repeatable((calls, account) => calls.unfinished(account, before));
  }

  dueErasures(at: number): Promise<readonly DeletedRepo[]> {
    return this.#repeatable((calls, account) => calls.dueErasures(account, at));
  }

  notePacks(id: string, packs: readonly PackId[]): Promise<void> {
    return this.#repeatable((calls, account) => calls.notePacks(account, id, packs));
  }

  setErasureDue(id: string, due: number | null): Promise<void> {
    return this.#repeatable((calls, account) => calls.setErasureDue(account, id, due));
  }

  forgetErased(before: number): Promise<void> {
    return this.#repeatable((calls, account) => calls.forgetErased(account, before));
  }

  addToken(repo: string, token: TokenLine, at: number, history: number): Promise<boolean> {
    return this.#once((calls, account) => calls.addToken(account, repo, token, at, history));
  }

  dropTokens(ids: readonly string[]): Promise<void> {
    return this.#repeatable((calls, account) => calls.dropTokens(account, ids));
  }

  tokenRepo(token: string): Promise<RepoRecord | undefined> {
    return this.#repeatable((calls, account) => calls.tokenRepo(account, token));
  }

  touch(repo: string, push: Touch): Promise<void> {
    return this.#repeatable((calls, account) => calls.touch(account, repo, push));
  }

  storedBytes(): Promise<number> {
    const ask = (): Promise<number> => this.#repeatable((calls, account) => calls.storedBytes(account));
    return this.#options.room?.storedBytes(this.#options.account, ask) ?? ask();
  }

  /** A fork or an import fills a repo with more at once than a remembered sum has room for (LIM-012). */
  #forgetRoom(): void {
    this.#options.room?.forget(this.#options.account);
  }

  #repeatable<T>(call: (calls: CatalogCalls, account: string) => Promise<T>): Promise<T> {
    return this.#call(call, true);
  }

  #once<T>(call: (calls: CatalogCalls, account: string) => Promise<T>): Promise<T> {
    return this.#call(call, false);
  }

  #call<T>(call: (calls: CatalogCalls, account: string) => Promise<T>, repeatable: boolean): Promise<T> {
    const { account, stub, usage } = this.#options;
    return callObject({ stub, usage, repeatable }, (calls) => call(calls, account));
  }
}
