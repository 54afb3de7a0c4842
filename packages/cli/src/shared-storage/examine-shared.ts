import type { Progress } from '@packhouse/command';
import type { PostgresDriver } from '@packhouse/base';
import { checkDatabase, databaseStorage } from '@packhouse/storage/postgres';
import { packOfName } from '@packhouse/storage/transfer';
import { examine, type Finding, type Report } from '../data-folder/examine.ts';
import { repoCheck } from '../data-folder/repo-check.ts';
import { lastingFindings, sharedRepos } from './shared-repos.ts';
import type { OpenedShared } from './with-shared-storage.ts';

/** Tables whose rows belong to a repository that is not erased. */
const ofRepos = [
  'keyed_results',
  'packs',
  'ref_history',
  'refs',
  'retired_tips',
  'shallow',
  'tokens',
  'uploaded_blobs',
];

/**
 * Examines a database and its packs, as a data folder is examined, and finds packs that no row names (REPO-389). Changes
 * nothing. Servers may run meanwhile.
 *
 * @throws {MigrationError}, {@link WrongPlaceError} and errors of the storage.
 */
export async function examineShared({ postgres, packs }: OpenedShared, show: Progress['show']): Promise<Report> {
  await checkDatabase({ driver: postgres, place: packs.place });
  show('Checking the database');
  const problems = await danglingRows(postgres);
  show('Listing packs');
  // Before the rows: a pack gets its row before its bytes.
  const found = await packNames(packs);
  const lost = await lostPacks(postgres, packs, found);
  const known = await sharedRepos(postgres);
  const { repos: storage } = await databaseStorage({ driver: postgres, place: packs.place });
  const report = await examine({ problems, known, storage, packsOfNobody: async () => 0 }, [repoCheck()], show);
  const lasting = report.ok ? [] : lastingFindings(report.problems, known, await sharedRepos(postgres));
  const all = [...lasting, ...lost];
  return { ...report, ok: all.length === 0, problems: all };
}

/** Returns the names of files of packs, by the id of their pack. */
async function packNames({ names }: OpenedShared['packs']): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for await (const page of names()) {
    for (const name of page) {
      const id = packOfName(name);
      if (id !== undefined) found.set(id, name);
    }
  }
  return found;
}

/** Finds packs that no row names, so that no sweep would ever remove them. */
async function lostPacks(
  postgres: PostgresDriver,
  packs: OpenedShared['packs'],
  found: ReadonlyMap<string, string>,
): Promise<readonly Finding[]> {
  const known = await postgres.rows<{ id: string }>(
    `SELECT id FROM packhouse.packs WHERE place = 'store' UNION SELECT id FROM packhouse.uploads
     UNION SELECT pack_id FROM packhouse.pack_holders
     UNION SELECT jsonb_array_elements_text(packs::jsonb) FROM packhouse.catalog_deleted WHERE due IS NOT NULL`,
  );
  const ids = new Set(known.map(({ id }) => id));
  const lost = [...found].filter(([id]) => !ids.has(id));
  // A server may have removed them since they were listed.
  const still = lost.length === 0 ? found : await packNames(packs);
  return lost
    .filter(([id]) => still.has(id))
    .map(([id, name]) => ({
      repo: null,
      account: name.split('/')[0] ?? null,
      where: `pack ${id}`,
      what: 'has bytes, but no row leads to it, so no server removes it',
    }));
}

async function danglingRows(postgres: PostgresDriver): Promise<readonly string[]> {
  const tests = [
    ...ofRepos.map((table) => ({
      table,
      owner: `packhouse.repos AS o WHERE o.id = t.repo_id AND NOT o.erased`,
    })),
    { table: 'pack_files', owner: 'packhouse.packs AS o WHERE o.repo_id = t.repo_id AND o.id = t.pack_id' },
    { table: 'tag_entries', owner: 'packhouse.tag_records AS o WHERE o.record = t.record' },
    { table: 'tag_records', owner: 'packhouse.tag_accounts AS o WHERE o.id = t.account' },
  ];
  const select = tests.map(
    ({ table, owner }) =>
      `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM packhouse.${table} AS t WHERE NOT EXISTS (SELECT FROM ${owner}))`,
  );
  const found = await postgres.rows<{ name: string }>(select.join(' UNION ALL '));
  return found.map(({ name }) => `rows of ${name} refer to rows that are not there`);
}
