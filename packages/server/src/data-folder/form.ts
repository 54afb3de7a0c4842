import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';
import { apiTokenFile } from './api-token.ts';
import { lockFile } from './lock.ts';

/** Layouts of a data folder, each with the file or folder (`mark`) that identifies it. */
const forms = {
  /** One database, and packs in files: Node, Deno and Bun. */
  files: { mark: 'packhouse.sqlite', serve: '--runtime node' },
  /** Cache of a server whose data is in a database. */
  shared: { mark: 'cache', serve: '--database and --packs' },
  /** Objects and buckets of workerd. */
  workerd: { mark: 'workerd', serve: '--runtime workerd' },
} as const;

/** The folder in which a server keeps parts of packs that are in a bucket. */
export const cacheFolder: string = forms.shared.mark;

/**
 * Rejects a data folder of another layout, because the server would not see its data.
 *
 * @throws {StartError} kind `data folder`.
 */
export function demandForm(folder: string, form: keyof typeof forms): void {
  for (const [name, { mark, serve }] of Object.entries(forms)) {
    if (name === form || !existsSync(join(folder, mark))) continue;
    throw new StartError(
      'data folder',
      `The data folder ${folder} was made by another runtime or with another storage.`,
      `Serve it with ${serve}, or choose another folder with --data DIR.`,
    );
  }
}

/** Names that a new data folder may hold: a token from the operator, and what file systems make. */
const harmless: ReadonlySet<string> = new Set([apiTokenFile, 'lost+found']);

/**
 * Rejects a folder that holds anything other than a server's data, because its owner does not expect our files there.
 *
 * @throws {StartError} kind `data folder`.
 */
export function demandNothingElse(folder: string): void {
  const marks = [lockFile, ...Object.values(forms).map(({ mark }) => mark)];
  if (marks.some((mark) => existsSync(join(folder, mark)))) return;
  const stranger = readdirSync(folder).find((name) => !harmless.has(name));
  if (stranger === undefined) return;
  throw new StartError(
    'data folder',
    `The folder ${folder} holds other things than a server's data, such as ${JSON.stringify(stranger)}.`,
    'Choose an empty folder, or one that does not exist, with --data DIR.',
  );
}
