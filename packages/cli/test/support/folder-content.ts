import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Tables with numbers of rows, and tables that are not copied. */
const left = new Set(['pack_rows', 'outcomes', 'uploads', 'sqlite_sequence']);

/** Returns all rows of a data folder, and a digest of each pack by its path. Omits files that no row names. */
export function contentOf(data: string) {
  const opened = new DatabaseSync(join(data, 'packhouse.sqlite'));
  const names = opened.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const rows = names
    .map(({ name }) => String(name))
    .filter((name) => !left.has(name))
    .map((name) => {
      const found = opened.prepare(`SELECT * FROM ${name}`).all();
      const texts = found.map(({ files_row: _, ...row }) => JSON.stringify(row));
      return [name, name === 'events' ? texts : texts.toSorted()];
    });
  const files = opened
    .prepare('SELECT p.id, r.idx, r.graph, r.pack FROM packs p JOIN pack_rows r ON r.id = p.files_row ORDER BY p.id')
    .all()
    .map((row) => createHash('sha256').update(JSON.stringify(row)).digest('hex'));
  const ids = opened.prepare("SELECT repo_id || '/' || id AS place FROM packs WHERE place = 'store'").all();
  const named = new Set(ids.map(({ place }) => String(place)));
  opened.close();
  const packs = globSync('packs/*/*/*', { cwd: data })
    .filter((name) => named.has(name.split('/').slice(2).join('/').split('.')[0] ?? ''))
    .toSorted()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(data, name)))
        .digest('hex'),
    ]);
  return { rows, files, packs };
}
