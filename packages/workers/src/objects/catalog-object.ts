import { DurableObject } from 'cloudflare:workers';
import type { ApiTokenStore, Catalog } from '@packhouse/hosting';
import { type TagStore, memoryTagStores } from '@packhouse/tagging';
import { catalogMigrations, memoryApiTokens, memoryCatalogs, sqlApiTokens, sqlCatalog } from '@packhouse/storage';
import { sqlTagStores, tagMigrations } from '@packhouse/tagging/sql';
import { memoryPackHolders, packHolderMigrations, sqlPackHolders, type PackHolders } from '@packhouse/storage/workers';
import { accountPorts, type AccountPorts } from '../calls/account-ports.ts';
import { answerCall, withMethods, type Answer, type PortObject } from '../calls/remote-port.ts';
import type { Environment } from '../environment/environment.ts';
import { catalogAlarm, sweepDelay, type CatalogFact, type CatalogStep } from './catalog-alarm.ts';
import { ObjectTables } from './object-tables.ts';

/**
 * The Durable Object of one account. It stores the namespaces, a row for each repository, the repository of each token,
 * the tags, the API tokens and the pack holders. Every call is one transaction.
 */
export class CatalogObject extends DurableObject<Environment> implements PortObject<string> {
  readonly #tables: ObjectTables<CatalogStep, CatalogFact>;

  constructor(context: DurableObjectState, environment: Environment) {
    super(context, environment);
    const migrations = { catalog: catalogMigrations, tags: tagMigrations, 'pack-holders': packHolderMigrations };
    this.#tables = new ObjectTables({ context, migrations });
  }

  async callPort(port: string, account: string, method: string, given: readonly unknown[]): Promise<Answer> {
    return answerCall(accountPorts, () => this.#ports(account), { port, method, given });
  }

  override async alarm(): Promise<void> {
    await this.#tables.onAlarm(() => catalogAlarm(this.#tables, this.env));
  }

  #ports(account: string): AccountPorts {
    return {
      catalog: withMethods(this.#catalog(account), {
        createNamespace: async (...given) => {
          await this.#tables.prepare();
          return this.#catalog(account).createNamespace(...given);
        },
        reserveRepo: async (repo, token) => {
          await this.#tables.prepare();
          this.#planSweep(account, repo.createdAt + sweepDelay);
          return this.#catalog(account).reserveRepo(repo, token);
        },
        deleteRepo: async (namespace, name, at, rememberedSince) => {
          this.#planSweep(account, at + sweepDelay);
          return this.#catalog(account).deleteRepo(namespace, name, at, rememberedSince);
        },
        updateRepo: async (id, update) => {
          this.#planSweep(account, update.at + sweepDelay);
          return this.#catalog(account).updateRepo(id, update);
        },
        dropRepo: async (id, at) => {
          this.#planSweep(account, at + sweepDelay);
          return this.#catalog(account).dropRepo(id, at);
        },
        setErasureDue: async (id, due) => {
          if (due !== null) this.#planSweep(account, due);
          return this.#catalog(account).setErasureDue(id, due);
        },
      }),
      tags: withMethods(this.#tags(account), {
        set: async (...given) => {
          await this.#tables.prepare();
          return this.#tags(account).set(...given);
        },
        keepPlace: async (...given) => {
          await this.#tables.prepare();
          return this.#tags(account).keepPlace(...given);
        },
      }),
      apiTokens: withMethods(this.#apiTokens(account), {
        add: async (...given) => {
          await this.#tables.prepare();
          return this.#apiTokens(account).add(...given);
        },
      }),
      holders: withMethods(this.#holders(), {
        hold: async (...given) => {
          await this.#tables.prepare();
          return this.#holders().hold(...given);
        },
      }),
    };
  }

  /** Returns the stored catalog. A read of a missing account uses an empty catalog instead of making the account. */
  #catalog(account: string): Catalog {
    return this.#tables.exist ? sqlCatalog(this.#tables.driver, account) : memoryCatalogs()(account);
  }

  /** Returns the stored tags, or empty ones, as {@link #catalog} does. */
  #tags(account: string): TagStore {
    return (this.#tables.exist ? sqlTagStores(this.#tables.driver) : memoryTagStores())(account);
  }

  /** Returns the stored API tokens, or none, as {@link #catalog} does. */
  #apiTokens(account: string): ApiTokenStore {
    return (this.#tables.exist ? sqlApiTokens(this.#tables.driver) : memoryApiTokens())(account);
  }

  /** Returns the stored pack holders, or empty ones, as {@link #catalog} does. */
  #holders(): PackHolders {
    return this.#tables.exist ? sqlPackHolders(this.#tables.driver) : memoryPackHolders();
  }

  /** Plans a sweep. Call it in the same turn as the change that needs the sweep, so that both are one write. */
  #planSweep(account: string, at: number): void {
    if (!this.#tables.exist) return;
    this.#tables.noteFact('account', account);
    this.#tables.schedule.plan('sweep', at);
  }
}
