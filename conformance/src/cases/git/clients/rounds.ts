/** A client performs random operations. Afterwards, client and service have the same content, without a fault. */

import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { dice } from '../../../tools/dice.ts';
import { same } from '../../../tools/same.ts';
import { needFeature } from '../shallow/history.ts';
import { Work } from './round-work.ts';

const rounds = 16;

const common = ['commit', 'commit', 'commit', 'merge', 'removeFile', 'tag', 'rewind', 'push', 'push'] as const;
const always = [...common, 'deleteBranch', 'fetch', 'fetch', 'collect', 'refetch', 'otherPushes', 'check'] as const;
const ofShallow = ['deepen', 'deepen', 'deepen', 'unshallow'] as const;
const ofPartial = ['lookAtSome', 'lookAtSome', 'backfill'] as const;

interface Family {
  readonly id: string;
  readonly requirements: readonly string[];
  readonly what: string;
  readonly depth?: number;
  readonly filter?: string;
}

const families: readonly Family[] = [
  { id: 'full', requirements: ['GIT-064', 'GIT-066'], what: 'a full clone' },
  { id: 'shallow', requirements: ['GIT-072', 'GIT-074', 'GIT-076', 'GIT-119'], what: 'a shallow clone', depth: 2 },
  { id: 'without-files', requirements: ['GIT-080', 'GIT-086'], what: 'a clone without files', filter: 'blob:none' },
  { id: 'without-folders', requirements: ['GIT-081', 'GIT-086'], what: 'a clone without folders', filter: 'tree:0' },
  {
    id: 'shallow-and-partial',
    requirements: ['GIT-072', 'GIT-076', 'GIT-080', 'GIT-087'],
    what: 'a shallow clone without files',
    depth: 2,
    filter: 'blob:none',
  },
];

/** Returns branches and tags with everything that they reach. */
async function contents(t: Context, cwd: string): Promise<unknown> {
  const refs = await t.git(['for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags'], { cwd });
  const listed = await t.git(['rev-list', '--objects', '--no-object-names', '--branches', '--tags'], { cwd });
  return { refs, objects: [...new Set(listed.trim().split('\n'))].sort() };
}

function family({ id, requirements, what, depth, filter }: Family): Case {
  return {
    id: `git/rounds/${id}`,
    requirements: ['GIT-170', 'GIT-175', 'GIT-065', ...requirements],
    level: 'MUST',
    needs: ['git'],
    slow: true,
    explanation: `Whatever ${what} does, in any order, it and the service end sound and with the same objects.`,
    async run(t) {
      const chance = dice(t.seed);
      const repo = await t.createRepo();
      if (depth !== undefined) await needFeature(t, repo, 'shallow');
      if (filter !== undefined) await needFeature(t, repo, 'filter');
      const done: string[] = [];
      const run = async (name: string, step: () => Promise<void>): Promise<void> => {
        done.push(name);
        try {
          await step();
        } catch (error) {
          if (error instanceof Error) error.message += `\nafter: ${done.join(', ')}`;
          throw error;
        }
      };
      const other = await Work.clone(t, repo, chance);
      // The default branch exists all the time, so that no clone is of an empty repo.
      for (let i = 0; i < 6; i++) await run('commit of the other', () => other.commit(i === 0 ? 'main' : undefined));
      await run('push of the other', () => other.push());
      const work = await Work.clone(t, repo, chance, {
        ...(depth === undefined ? {} : { depth }),
        ...(filter === undefined ? {} : { filter }),
      });
      const otherPushes = async (): Promise<void> => {
        await other.fetch();
        await other.commit();
        await other.push();
      };
      const steps = [...always, ...(depth === undefined ? [] : ofShallow), ...(filter === undefined ? [] : ofPartial)];
      for (let i = 0; i < rounds * (t.runs ?? 1); i++) {
        const step = chance.pick(steps);
        await run(step, step === 'otherPushes' ? otherPushes : () => work[step]());
      }
      await run('the end', async () => {
        await work.unshallow();
        await work.fetch();
        await work.backfill();
        await work.pushAll();
        // If the client's boundary was at commits that no ref of the service reached, more can be fetched only now.
        await work.unshallow();
        await work.backfill();
        await work.check();
        const mirror = await t.folder();
        await t.git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, '.'], { cwd: mirror });
        await t.git(['fsck', '--full', '--strict', '--no-dangling'], { cwd: mirror });
        same(await contents(t, work.cwd), await contents(t, mirror), 'The client and the service hold the same.');
      });
    },
  };
}

export const gitRounds: Suite = suite(...families.map(family));
