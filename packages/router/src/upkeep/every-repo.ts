import { foldName, type Catalog, type NamespaceRecord, type Place, type RepoRecord } from '@packhouse/hosting';

const pageSize = 200;

/**
 * Yields every repository of an account that exists during the whole walk, in any state. Reads one page of one
 * namespace at a time, so that memory does not grow with the account.
 */
export async function* everyRepo(catalog: Catalog): AsyncGenerator<RepoRecord, void> {
  for await (const { name: namespace } of everyNamespace(catalog)) {
    let after: Place | undefined;
    for (;;) {
      const list = { search: '', sort: 'name', direction: 'asc' } as const;
      const page = await catalog.repos(namespace, list, { limit: pageSize, ...(after === undefined ? {} : { after }) });
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) break;
      after = { key: foldName(last.name), tie: last.id };
    }
  }
}

async function* everyNamespace(catalog: Catalog): AsyncGenerator<NamespaceRecord, void> {
  let after: Place | undefined;
  for (;;) {
    const page = await catalog.namespaces({ limit: pageSize, ...(after === undefined ? {} : { after }) });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    after = { key: last.createdAt, tie: foldName(last.name) };
  }
}
