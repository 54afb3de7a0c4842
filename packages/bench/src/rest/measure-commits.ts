import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Remote } from '../client/remote.ts';
import { runGit } from '../internal/run-git.ts';
import { interleave, time } from '../measures/rounds.ts';
import { headerSettings } from '../measures/stock-client.ts';
import type { Row } from '../report/row.ts';
import type { Server } from '../servers/server.ts';

/**
 * Measures a commit of one file over REST, next to a clone that is as small as it can be, a commit and a push with stock
 * git to the same repository.
 */
export const measureCommit = async (
  server: Server,
  name: string,
  remote: Remote,
  objects: number,
  rounds: number,
  folder: string,
): Promise<Row> => {
  let count = 0;
  const work = join(folder, 'work');
  const ways = [
    {
      name: server.name,
      commit: () =>
        server.rest?.('POST', `/repos/namespaces/default/repos/${name}/commits`, {
          branch: 'main',
          message: 'Add a note',
          author: { name: 'A', email: 'a@example.test' },
          changes: [{ op: 'put', path: 'notes/note.txt', content: `note ${count}\n` }],
        }),
    },
    {
      name: 'git',
      async commit(): Promise<void> {
        const access = headerSettings(remote);
        await runGit([...access, 'clone', '--quiet', '--depth=1', '--filter=blob:none', remote.url, work]);
        await writeFile(join(work, 'note.txt'), `note ${count}\n`);
        await runGit(['add', 'note.txt'], { cwd: work });
        await runGit(['commit', '--quiet', '--message=Add a note'], { cwd: work });
        await runGit([...access, 'push', '--quiet'], { cwd: work });
      },
    },
  ];
  // One more than counted: the first warms up code and page cache.
  const samples = await interleave(ways, rounds + 1, async ({ commit }) => {
    count += 1;
    const elapsed = await time(async () => await commit());
    await rm(work, { recursive: true, force: true });
    return elapsed;
  });
  return {
    name: `commit-${objects}`,
    title: `commit one file, ${objects} objects`,
    unit: 'ms',
    samples: Object.fromEntries(Object.entries(samples).map(([way, all]) => [way, all.slice(1)])),
    gitStarts: 0,
  };
};
