import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { madePack, type MadeEntry } from '../pack/made-pack.test.util.ts';
import { stockGit, type StockGit } from '../pack/stock-git.test.util.ts';
import { closure, type MadeObject } from './made-history.test.util.ts';

/** A repository of stock Git with all that a commit reaches, in one pack. The caller removes it. */
export function gitRepository(tip: MadeObject): StockGit {
  const git = stockGit();
  git.run(['unpack-objects', '-q'], madePack([...closure([tip]).values()]).bytes);
  git.run(['update-ref', 'refs/heads/main', tip.id]);
  git.run(['-c', 'pack.threads=1', 'repack', '-adq']);
  return git;
}

/** The entries of its pack: in the order of stock Git, and with its choice of bases. */
export function entriesOf(git: StockGit, tip: MadeObject): (MadeEntry & MadeObject)[] {
  const folder = join(git.folder, 'objects/pack');
  const index = readdirSync(folder).find((name) => name.endsWith('.idx')) as string;
  const rows = git
    .run(['verify-pack', '-v', join(folder, index)])
    .toString()
    .split('\n')
    .map((line) => line.split(/\s+/))
    .filter(([id, , , , offset]) => id?.length === 40 && offset !== undefined)
    .sort((a, b) => Number(a[4]) - Number(b[4]));
  const objects = closure([tip]);
  const made = new Map<string, MadeEntry & MadeObject>();
  for (const [id, , , , , , base] of rows) {
    const object = objects.get(id as string) as MadeObject;
    const from = base === undefined ? undefined : made.get(base);
    made.set(object.id, from === undefined ? object : { ...object, base: from, by: 'offset' });
  }
  return [...made.values()];
}
