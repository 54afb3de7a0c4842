import { pushPack } from '../client/push.ts';
import type { Row } from '../report/row.ts';
import type { Bench } from './bench.ts';
import { interleave, time } from './rounds.ts';
import { makeSmallPushes } from './small-pushes.ts';
import { pushWithGit } from './stock-client.ts';

const everything = ['refs/heads/*:refs/heads/*', 'refs/tags/*:refs/tags/*'];

/** `git` processes behind one push over CGI: http-backend, receive-pack, index-pack or unpack-objects, rev-list. */
const startsOfPush = 4;

/**
 * Measures a push of everything to an empty repository: with a prepared pack, then with stock `git`, which makes the
 * pack.
 */
export const measureFirstPush = async ({ contenders, source, rounds }: Bench): Promise<Row[]> => {
  const sample = (kind: 'plain' | 'git') =>
    interleave(contenders, rounds, async ({ server }, round) => {
      const name = `first-${kind}-${round}`;
      const remote = await server.createRepository(name);
      const elapsed = await time(() =>
        kind === 'plain'
          ? pushPack(remote, source.changes, source.packFile)
          : pushWithGit(remote, source.path, everything),
      );
      await server.removeRepository(name);
      return elapsed;
    });
  const row = { name: 'first-push', unit: 'ms', gitStarts: startsOfPush } as const;
  return [
    { ...row, title: 'first push of everything', samples: await sample('plain') },
    { ...row, title: 'first push of everything, stock git', samples: await sample('git') },
  ];
};

/** Measures a push of one small commit to a repository that has everything. */
export const measureSmallPush = async ({ contenders, source, rounds }: Bench): Promise<Row[]> => {
  // One more than counted: the first warms up code and page cache of both sides.
  const plain = await makeSmallPushes(source, rounds + 1, 'plain');
  const stock = await makeSmallPushes(source, rounds + 1, 'stock');
  const pushPlain = ({ full }: Bench['contenders'][number], round: number): Promise<void> => {
    const push = plain[round];
    if (!push) throw new RangeError(`No push for round ${round}`);
    return pushPack(full, [push.change], push.packFile);
  };
  const pushStock = ({ full }: Bench['contenders'][number], round: number): Promise<string> => {
    const push = stock[round];
    if (!push) throw new RangeError(`No push for round ${round}`);
    return pushWithGit(full, source.path, [`${push.local}:${push.change.ref}`]);
  };
  for (const contender of contenders) {
    await pushPlain(contender, 0);
    await pushStock(contender, 0);
  }
  const row = { name: 'small-push', unit: 'ms' } as const;
  return [
    {
      ...row,
      title: 'push of one small commit',
      gitStarts: startsOfPush,
      samples: await interleave(contenders, rounds, (one, round) => time(() => pushPlain(one, round + 1))),
    },
    {
      ...row,
      title: 'push of one small commit, stock git',
      // Discovery starts http-backend and receive-pack once more.
      gitStarts: startsOfPush + 2,
      samples: await interleave(contenders, rounds, (one, round) => time(() => pushStock(one, round + 1))),
    },
  ];
};
