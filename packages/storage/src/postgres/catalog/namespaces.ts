import { type Catalog, foldName } from '@packhouse/hosting';
import type { PostgresDriver } from '@packhouse/base';
import { apiTokenCondition } from '../../catalog/api-token-row.ts';
import { namespaceColumns, namespaceOf, type NamespaceRow } from '../../catalog/namespace-row.ts';
import { namespaceOwner } from '../../repo-state/webhook-row.ts';
import { lockApiTokens } from './api-tokens.ts';
import { sliceOf } from './slice.ts';
import { searchText } from './texts.ts';

type Namespaces = Pick<Catalog, 'createNamespace' | 'namespace' | 'namespaces' | 'countNamespaces' | 'deleteNamespace'>;

/** Namespaces of one account in PostgreSQL. The lock of a row guards its number of repos. */
export function postgresNamespaces(driver: PostgresDriver, account: string): Namespaces {
  return {
    async createNamespace(name, jurisdiction, at) {
      const added = await driver.rows(
        `INSERT INTO packhouse.catalog_namespaces
           (account, folded, name, jurisdiction, repo_count, created_at, updated_at)
         VALUES ($1, $2, $3, $4, 0, $5, $5) ON CONFLICT (account, folded) DO NOTHING RETURNING 1`,
        [account, foldName(name), name, jurisdiction, at],
      );
      return added.length > 0 ? 'created' : 'exists';
    },
    async namespace(name) {
      const [row] = await driver.rows<NamespaceRow>(
        `SELECT ${namespaceColumns} FROM packhouse.catalog_namespaces WHERE account = $1 AND folded = $2`,
        [account, foldName(searchText(name))],
      );
      return row && namespaceOf(row);
    },
    async namespaces(slice) {
      const { rows, order, parameters } = sliceOf(
        {
          table: 'packhouse.catalog_namespaces',
          where: 'r.account = $1',
          parameters: [account],
          column: 'r.created_at',
          direction: 'desc',
          tie: 'r.folded',
        },
        slice,
      );
      const found = await driver.rows<NamespaceRow>(`SELECT ${namespaceColumns} FROM ${rows} ${order}`, parameters);
      return found.map(namespaceOf);
    },
    async countNamespaces() {
      const [row] = await driver.rows<{ total: number }>(
        'SELECT count(*) AS total FROM packhouse.catalog_namespaces WHERE account = $1',
        [account],
      );
      return row?.total ?? 0;
    },
    deleteNamespace: (name, at) =>
      driver.transaction(async (session) => {
        const key = [account, foldName(searchText(name))];
        // These locks keep tokens, repos and webhooks from being added meanwhile. The statement after them sees all of them.
        void lockApiTokens(session, account);
        void session.rows(
          'SELECT 1 FROM packhouse.catalog_namespaces WHERE account = $1 AND folded = $2 FOR UPDATE',
          key,
        );
        const [row] = await session.rows<{ deleted: boolean }>(
          `WITH found AS (
             SELECT 1 FROM packhouse.catalog_namespaces WHERE account = $1 AND folded = $2),
           deleted AS (
             DELETE FROM packhouse.catalog_namespaces
             WHERE account = $1 AND folded = $2 AND repo_count = 0 RETURNING 1),
           webhooks AS (
             DELETE FROM packhouse.webhooks WHERE owner = $3 AND EXISTS (SELECT FROM deleted)),
           tokens AS (
             UPDATE packhouse.api_tokens SET revoked_at = $4
             WHERE account = $1 AND folded = $2 AND ${apiTokenCondition('active', '$4::int8')}
               AND EXISTS (SELECT FROM deleted))
           SELECT EXISTS (SELECT 1 FROM deleted) AS deleted FROM found`,
          [...key, namespaceOwner(account, searchText(name)), at],
        );
        if (row === undefined) return 'missing';
        return row.deleted ? 'deleted' : 'not empty';
      }),
  };
}
