import { DurableObject } from 'cloudflare:workers';
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
import {
  type ResourceIdentity,
  type TaggedResourceList,
  type TagPart,
  type TagRecord,
  type TagSlice,
  type TagStore,
  type TagSummary,
  memoryTagStores,
} from '@packhouse/tagging';
import { catalogMigrations, memoryCatalogs, sqlCatalog } from '@packhouse/storage';
import { migrate, type SqlDriver } from '@packhouse/base';
import { sqlTagStores, tagMigrations } from '@packhouse/tagging/sql';
import { durableObjectSql } from '@packhouse/base/durable-object';
import {
  memoryPackHolders,
  packHolderMigrations,
  sqlPackHolders,
  type PackHolders,
  type Released,
} from '@packhouse/storage/workers';
import type { CatalogCalls } from '../calls/catalog-calls.ts';
import {
  receiveChange,
  sendOutcome,
  sendPart,
  sendRecord,
  type SentChange,
  type SentPart,
  type SentRecord,
  type SetAnswer,
} from '../calls/sent-tags.ts';
import type { Environment } from '../environment/environment.ts';
import { catalogAlarm, sweepDelay, type CatalogFact, type CatalogStep } from './catalog-alarm.ts';
import { Facts } from './facts.ts';
import { hasTables } from './has-tables.ts';
import { neverThrowing } from './never-throwing.ts';
import { Schedule } from './schedule.ts';

/** One account: namespaces, a line for every repo, which repo a token belongs to, and tags. Every method is one transaction. */
export class CatalogObject extends DurableObject<Environment> implements CatalogCalls {
  readonly #driver: SqlDriver;
  readonly #schedule: Schedule<CatalogStep>;
  readonly #facts: Facts<CatalogFact>;
  #hasTables = false;

  constructor(context: DurableObjectState, environment: Environment) {
    super(context, environment);
    this.#driver = durableObjectSql(context.storage);
    this.#schedule = new Schedule(context.storage, this.#driver);
    this.#facts = new Facts(this.#driver);
    void context.blockConcurrencyWhile(async () => {
      if (hasTables(this.#driver)) await this.#prepare();
    });
  }

  async createNamespace(
    account: string,
    name: string,
    jurisdiction: string,
    at: number,
  ): Promise<'created' | 'exists' | 'deleting'> {
    await this.#prepare();
    return this.#of(account).createNamespace(name, jurisdiction, at);
  }

  async namespace(account: string, name: string): Promise<NamespaceRecord | undefined> {
    return this.#of(account).namespace(name);
  }

  async namespaces(account: string, slice: Slice): Promise<readonly NamespaceRecord[]> {
    return this.#of(account).namespaces(slice);
  }

  async countNamespaces(account: string): Promise<number> {
    return this.#of(account).countNamespaces();
  }

  async deleteNamespace(account: string, name: string): Promise<'deleted' | 'missing' | 'not empty' | 'deleting'> {
    return this.#of(account).deleteNamespace(name);
  }

  async reserveRepo(account: string, repo: NewRepo, token: TokenLine): Promise<ReserveOutcome> {
    await this.#prepare();
    this.#planSweep(account, repo.createdAt + sweepDelay);
    return this.#of(account).reserveRepo(repo, token);
  }

  async publishRepo(account: string, id: string, found?: RepoContent): Promise<boolean> {
    return this.#of(account).publishRepo(id, found);
  }

  async renewRepo(account: string, id: string, at: number): Promise<boolean> {
    return this.#of(account).renewRepo(id, at);
  }

  async repo(account: string, namespace: string, name: string): Promise<RepoRecord | undefined> {
    return this.#of(account).repo(namespace, name);
  }

  async repoById(account: string, id: string): Promise<RepoRecord | undefined> {
    return this.#of(account).repoById(id);
  }

  async repos(account: string, namespace: string, list: RepoList, slice: Slice): Promise<readonly RepoRecord[]> {
    return this.#of(account).repos(namespace, list, slice);
  }

  async countRepos(account: string, namespace: string, search: string): Promise<number> {
    return this.#of(account).countRepos(namespace, search);
  }

  async deleteRepo(
    account: string,
    namespace: string,
    name: string,
    at: number,
    rememberedSince: number,
  ): Promise<DeleteOutcome> {
    this.#planSweep(account, at + sweepDelay);
    return this.#of(account).deleteRepo(namespace, name, at, rememberedSince);
  }

  async dropRepo(account: string, id: string, at: number): Promise<DeletedRepo | undefined> {
    this.#planSweep(account, at + sweepDelay);
    return this.#of(account).dropRepo(id, at);
  }

  async unfinished(account: string, before: number): Promise<readonly RepoRecord[]> {
    return this.#of(account).unfinished(before);
  }

  async dueErasures(account: string, at: number): Promise<readonly DeletedRepo[]> {
    return this.#of(account).dueErasures(at);
  }

  async notePacks(account: string, id: string, packs: readonly PackId[]): Promise<void> {
    return this.#of(account).notePacks(id, packs);
  }

  async setErasureDue(account: string, id: string, due: number | null): Promise<void> {
    if (due !== null) this.#planSweep(account, due);
    return this.#of(account).setErasureDue(id, due);
  }

  async forgetErased(account: string, before: number): Promise<void> {
    return this.#of(account).forgetErased(before);
  }

  async addToken(account: string, repo: string, token: TokenLine, at: number, history: number): Promise<boolean> {
    return this.#of(account).addToken(repo, token, at, history);
  }

  async dropTokens(account: string, ids: readonly string[]): Promise<void> {
    return this.#of(account).dropTokens(ids);
  }

  async tokenRepo(account: string, token: string): Promise<RepoRecord | undefined> {
    return this.#of(account).tokenRepo(token);
  }

  async touch(account: string, repo: string, push: Touch): Promise<void> {
    return this.#of(account).touch(repo, push);
  }

  async storedBytes(account: string): Promise<number> {
    return this.#of(account).storedBytes();
  }

  async tagRecord(account: string, resource: ResourceIdentity): Promise<SentRecord> {
    return sendRecord(await this.#tagsOf(account).record(resource));
  }

  async setTags(account: string, sent: SentChange): Promise<SetAnswer> {
    const change = await receiveChange(sent);
    await this.#prepare();
    return sendOutcome(await this.#tagsOf(account).set(change));
  }

  async removeTags(
    account: string,
    resource: ResourceIdentity,
    ifMatch: string | null,
  ): Promise<'removed' | 'missing' | 'no match'> {
    return this.#tagsOf(account).remove(resource, ifMatch);
  }

  async renameTagged(account: string, resource: ResourceIdentity, name: string): Promise<void> {
    return this.#tagsOf(account).rename(resource, name);
  }

  async taggedResources(
    account: string,
    list: TaggedResourceList,
    slice: TagSlice<ResourceIdentity>,
  ): Promise<SentPart<TagRecord>> {
    return sendPart(await this.#tagsOf(account).resources(list, slice));
  }

  async tagKeys(account: string, slice: TagSlice<string>): Promise<TagPart<string>> {
    return this.#tagsOf(account).keys(slice);
  }

  async tagValues(
    account: string,
    key: string,
    type: string | null,
    slice: TagSlice<string>,
  ): Promise<TagPart<string>> {
    return this.#tagsOf(account).values(key, type, slice);
  }

  async tagSummary(account: string, slice: TagSlice<string>): Promise<SentPart<TagSummary>> {
    return sendPart(await this.#tagsOf(account).summary(slice));
  }

  async keepTagPlace(account: string, id: string, place: string, at: number): Promise<void> {
    await this.#prepare();
    return this.#tagsOf(account).keepPlace(id, place, at);
  }

  async keptTagPlace(account: string, id: string): Promise<string | undefined> {
    return this.#tagsOf(account).keptPlace(id);
  }

  async holdPacks(account: string, ids: readonly PackId[], repos: readonly string[], at: number): Promise<void> {
    await this.#prepare();
    return this.#holders().hold(ids, repos, at);
  }

  async releasePacks(account: string, ids: readonly PackId[], repo: string): Promise<Released> {
    return this.#holders().release(ids, repo);
  }

  async dropHolder(account: string, ids: readonly PackId[], repo: string): Promise<void> {
    return this.#holders().drop(ids, repo);
  }

  async heldPacks(account: string, repo: string, time: number): Promise<readonly PackId[]> {
    return this.#holders().held(repo, time);
  }

  override async alarm(): Promise<void> {
    await neverThrowing(this.ctx.storage, async () => {
      if (!this.#hasTables) return;
      await catalogAlarm({
        driver: this.#driver,
        schedule: this.#schedule,
        facts: this.#facts,
        environment: this.env,
      });
    });
  }

  async #prepare(): Promise<void> {
    if (this.#hasTables) return;
    migrate(this.#driver, 'catalog', catalogMigrations);
    migrate(this.#driver, 'tags', tagMigrations);
    migrate(this.#driver, 'pack-holders', packHolderMigrations);
    this.#facts.prepare();
    this.#hasTables = true;
    await this.#schedule.prepare();
  }

  /** Whoever asks for an account that does not exist must not make it: it is as an empty one. */
  #of(account: string): Catalog {
    return this.#hasTables ? sqlCatalog(this.#driver, account) : memoryCatalogs()(account);
  }

  /** As {@link #of}. */
  #tagsOf(account: string): TagStore {
    return (this.#hasTables ? sqlTagStores(this.#driver) : memoryTagStores())(account);
  }

  /** As {@link #of}. */
  #holders(): PackHolders {
    return this.#hasTables ? sqlPackHolders(this.#driver) : memoryPackHolders();
  }

  /** In one turn with what makes the sweep due, and so in one write. */
  #planSweep(account: string, at: number): void {
    if (!this.#hasTables) return;
    this.#facts.note('account', account);
    this.#schedule.plan('sweep', at);
  }
}
