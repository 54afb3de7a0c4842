import { randomUUID } from 'node:crypto';
import { pushPack } from '../client/push.ts';
import { time } from '../measures/rounds.ts';
import type { SmallRepository } from '../measures/measure-everyday.ts';
import { median } from '../report/statistics.ts';
import type { Server } from '../servers/server.ts';
import { copyRepositories } from './copy-repositories.ts';
import type { SharedStorage } from './shared-storage.ts';

/** Medians in milliseconds beside that many repositories in one namespace. */
export interface RepositoriesRow {
  readonly repositories: number;
  readonly create: number;
  readonly list: number;
  readonly push: number;
}

const reposPath = '/repos/namespaces/default/repos';

/** Fills the database up to each size, and measures there. */
export const measureRepositories = async (
  { driver }: Pick<SharedStorage, 'driver'>,
  server: Server & Required<Pick<Server, 'rest'>>,
  sizes: readonly number[],
  small: SmallRepository,
  rounds: number,
  progress: (line: string) => void,
): Promise<RepositoriesRow[]> => {
  const rows: RepositoriesRow[] = [];
  const newName = (): string => `r-${randomUUID()}`;
  const template = newName();
  await server.createRepository(template);
  let made = 1;
  const [one] = await driver.rows<{ id: string }>('SELECT id FROM packhouse.repos WHERE name = $1', [template]);
  for (const size of sizes) {
    await copyRepositories(driver, String(one?.id), made, size - made);
    progress(`${size} repositories`);
    made = size;
    const samples = { create: [] as number[], list: [] as number[], push: [] as number[] };
    for (let i = 0; i < rounds; i++) {
      const remote = await server.createRepository(newName());
      made++;
      samples.create.push(await time(() => server.createRepository(newName())));
      made++;
      samples.list.push(await time(() => server.rest('GET', `${reposPath}?limit=50`)));
      samples.push.push(await time(() => pushPack(remote, [small.change], small.packFile)));
    }
    const { create, list, push } = samples;
    rows.push({ repositories: size, create: median(create), list: median(list), push: median(push) });
  }
  return rows;
};
