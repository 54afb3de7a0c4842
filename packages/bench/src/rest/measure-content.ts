import { runGit, runGitForBytes } from '../internal/run-git.ts';
import { interleave, time } from '../measures/rounds.ts';
import type { Source } from '../measures/source.ts';
import type { Row } from '../report/row.ts';
import type { Server } from '../servers/server.ts';

/** One kind of work, over REST and with stock git. */
interface Work {
  readonly name: string;
  readonly title: string;
  readonly rest: () => Promise<unknown>;
  /** Requests before and after those that are timed. */
  readonly before?: () => Promise<void>;
  readonly after?: () => Promise<void>;
  readonly git: readonly string[];
}

/** Commits that a comparison spans, at most. */
const comparedCommits = 200;
/** Rounds until a server that has been running for a while is as fast as it stays. */
const warmUps = 3;

/**
 * Measures comparisons, a merge, archives and a search of a repository that the server has as `name`: whole requests over
 * the loopback interface, next to whole processes of git with their start.
 */
export const measureContent = async (
  server: Server,
  name: string,
  { path: cwd }: Source,
  term: string,
  rounds: number,
): Promise<Row[]> => {
  const call = (method: string, route: string, body?: object): Promise<unknown> =>
    server.rest?.(method, `/repos/namespaces/default/repos/${name}/${route}`, body) ?? Promise.resolve();
  const history = (
    await runGit(['rev-list', `--max-count=${comparedCommits + 1}`, '--first-parent', 'HEAD'], { cwd })
  ).split('\n');
  const [head = '', base = ''] = [history[0], history.at(-1)];
  const works: Work[] = [
    {
      name: 'compare',
      title: `compare ${history.length - 1} commits`,
      rest: () => call('GET', `compare?base=${base}&head=${head}`),
      git: ['diff', '--raw', '--numstat', '-M', `${base}...${head}`],
    },
    ...(['tar', 'tar.gz', 'zip'] as const).map((format) => ({
      name: `archive-${format}`,
      title: `archive as ${format}`,
      rest: () => call('GET', `archive/${head}.${format}`),
      git: ['archive', `--format=${format}`, head],
    })),
    {
      name: 'search',
      title: 'search a text',
      rest: () => searchAll(call, term, head),
      git: ['grep', '-I', '-n', '--column', '-F', '-e', term, head],
    },
  ];
  const merge = await runGit(['rev-list', '--min-parents=2', '--max-parents=2', '--max-count=1', 'HEAD'], { cwd });
  if (merge !== '') {
    const [, into = '', from = ''] = (await runGit(['rev-list', '--parents', '--max-count=1', merge], { cwd })).split(
      ' ',
    );
    works.push({
      name: 'merge',
      title: 'merge as the last merge',
      before: async () => {
        await call('PUT', 'refs/heads/bench-into', { old: null, new: into });
        await call('PUT', 'refs/heads/bench-from', { old: null, new: from });
      },
      rest: () =>
        call('POST', 'merges', {
          into: 'bench-into',
          from: 'bench-from',
          strategy: 'merge',
          author: { name: 'A', email: 'a@example.test' },
        }),
      after: async () => {
        for (const branch of ['into', 'from']) await call('DELETE', `refs/heads/bench-${branch}`);
      },
      git: ['merge-tree', '--write-tree', into, from],
    });
  }
  const rows: Row[] = [];
  for (const { name: work, title, git, ...requests } of works) {
    const ways = [
      { name: server.name, run: requests.rest, ...requests },
      { name: 'git', run: () => runGitForBytes(git, { cwd }) },
    ];
    // Those of the first rounds warm up code and page cache, and are not counted.
    const samples = await interleave(ways, rounds + warmUps, async ({ run, ...others }) => {
      if ('before' in others) await others.before?.();
      const elapsed = await time(run);
      if ('after' in others) await others.after?.();
      return elapsed;
    });
    rows.push({
      name: work,
      title,
      unit: 'ms',
      samples: Object.fromEntries(Object.entries(samples).map(([way, all]) => [way, all.slice(warmUps)])),
      gitStarts: 1,
    });
  }
  return rows;
};

type Call = (method: string, route: string, body?: object) => Promise<unknown>;

/** Reads all pages of a search. */
async function searchAll(call: Call, term: string, ref: string): Promise<void> {
  let cursor = '';
  do {
    const query = `q=${encodeURIComponent(term)}&ref=${ref}&limit=1000${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const reply = JSON.parse(String(await call('GET', `search?${query}`))) as { result_info?: { cursor?: string } };
    cursor = encodeURIComponent(reply.result_info?.cursor ?? '');
  } while (cursor !== '');
}
