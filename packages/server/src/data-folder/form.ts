import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../start-error.ts';

/** How a data folder keeps things, with what shows that it does. */
const forms = {
  /** One database, and packs in files: Node, Deno and Bun. */
  files: { mark: 'packhouse.sqlite', serve: '--runtime node' },
  /** Objects and buckets of workerd. */
  workerd: { mark: 'workerd', serve: '--runtime workerd' },
} as const;

/**
 * Makes sure that nothing is kept in a data folder in another form, which the server would not see.
 *
 * @throws {StartError} kind `data folder`.
 */
export function demandForm(folder: string, form: keyof typeof forms): void {
  for (const [name, { mark, serve }] of Object.entries(forms)) {
    if (name === form || !existsSync(join(folder, mark))) continue;
    throw new StartError(
      'data folder',
      `The data folder ${folder} was made by another runtime.`,
      `Serve it with ${serve}, or choose another folder with --data DIR.`,
    );
  }
}
