import { HostingError, Fields, type RawFields, isoTime } from '@packhouse/base';
import type { Context } from '../internal/context.ts';
import { readPage, readPageRequest, type Page } from '../lists/page.ts';
import { foldName } from '../names/fold.ts';
import { parseNamespaceName } from '../names/namespace-name.ts';
import type { NamespaceRecord } from '../ports/catalog.ts';

/** A namespace in the form of REST (REPO-050). */
export interface Namespace {
  readonly namespace: string;
  readonly jurisdiction: string;
  readonly repo_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Namespaces of an account. Methods throw {@link HostingError} for errors that clients may see. */
export interface Namespaces {
  /** Members of `body`: `namespace`, `jurisdiction` (REPO-100). */
  create(account: string, body: RawFields): Promise<Namespace>;
  /** Parameters in `query`: `limit`, `cursor`, `page` (REPO-090). Newest first (REPO-103). */
  list(account: string, query: RawFields): Promise<Page<Namespace>>;
  get(account: string, name: string): Promise<Namespace>;
  /** Only an empty one (REPO-105). */
  delete(account: string, name: string): Promise<void>;
}

export function createNamespaces({ catalog, clock, settings }: Context): Namespaces {
  const limits = { default: settings.namespaces_page_default, max: settings.namespaces_page_max };
  return {
    async create(account, body) {
      const fields = new Fields(body);
      const text = fields.string('namespace');
      const name = parseNamespaceName(text, settings);
      if (name === undefined && typeof body['namespace'] === 'string') fields.fail('namespace', invalidNamespaceName);
      const jurisdiction = fields.option('jurisdiction', settings.jurisdictions, 'unrestricted');
      fields.check();
      const at = clock.now();
      const outcome = await catalog(account).createNamespace(text, jurisdiction, at);
      if (outcome === 'exists') throw new HostingError('namespaceExists');
      if (outcome === 'deleting') throw new HostingError('namespaceDeleting');
      return shown({ name: text, jurisdiction, repoCount: 0, createdAt: at, updatedAt: at });
    },

    async list(account, query) {
      const { list, page } = await readPageRequest(new Fields(query), limits, () => ({
        query: ['namespaces', account],
        keyType: 'number' as const,
      }));
      const { rows, info } = await readPage<NamespaceRecord>(
        {
          ...list,
          rows: (slice) => catalog(account).namespaces(slice),
          count: () => catalog(account).countNamespaces(),
          place: (row) => ({ key: row.createdAt, tie: foldName(row.name) }),
        },
        page,
      );
      return { rows: rows.map(shown), info };
    },

    async get(account, name) {
      const found = await catalog(account).namespace(name);
      if (found === undefined) throw new HostingError('namespaceNotFound');
      return shown(found);
    },

    async delete(account, name) {
      switch (await catalog(account).deleteNamespace(name, clock.now())) {
        case 'missing':
          throw new HostingError('namespaceNotFound');
        case 'not empty':
          throw new HostingError('namespaceNotEmpty');
        case 'deleting':
          throw new HostingError('namespaceDeleting');
        case 'deleted':
      }
    },
  };
}

/** Text of REPO-060. */
export const invalidNamespaceName = 'Invalid namespace name';

function shown({ name, jurisdiction, repoCount, createdAt, updatedAt }: NamespaceRecord): Namespace {
  return {
    namespace: name,
    jurisdiction,
    repo_count: repoCount,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  };
}
