import { DurableObject } from 'cloudflare:workers';
import { catalogMigrations, repoStateMigrations } from '@packhouse/storage';
import { migrate, type SqlDriver } from '@packhouse/base';
import { tagMigrations } from '@packhouse/tagging/sql';
import { durableObjectSql } from '@packhouse/base/durable-object';
import { packHolderMigrations } from '@packhouse/storage/workers';

export { CatalogObject } from '../../src/objects/catalog-object.ts';
export { RepoObject } from '../../src/objects/repo-object.ts';

/** An object with a database and nothing else, which the adapters are tried in. */
export class DatabaseObject extends DurableObject {
  readonly driver: SqlDriver = durableObjectSql(this.ctx.storage);

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    migrate(this.driver, 'repo-state', repoStateMigrations);
    migrate(this.driver, 'catalog', catalogMigrations);
    migrate(this.driver, 'tags', tagMigrations);
    migrate(this.driver, 'pack-holders', packHolderMigrations);
  }
}
