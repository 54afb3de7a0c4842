import { listRefs } from '../client/fetch.ts';
import type { Row } from '../report/row.ts';
import type { Bench } from './bench.ts';
import { interleave, time } from './rounds.ts';
import { listRefsWithGit } from './stock-client.ts';

/** Measures listing all refs of the repository with many refs, with the plain client and with stock `git`. */
export const measureLsRemote = async ({ contenders, refsSource, rounds }: Bench): Promise<Row[]> => {
  const count = refsSource.changes.length;
  for (const { refs, name } of contenders) {
    // Both also list HEAD if it resolves.
    const listed = [await listRefs(refs), (await listRefsWithGit(refs)) + 1];
    if (listed.some((number) => number < count || number > count + 1)) {
      throw new Error(`${name} listed ${listed.join(' and ')} refs instead of ${count}`);
    }
  }
  const row = { name: 'ls-remote', unit: 'ms' } as const;
  return [
    {
      ...row,
      title: `ls-refs with ${count} refs`,
      gitStarts: 2,
      samples: await interleave(contenders, rounds, ({ refs }) => time(() => listRefs(refs))),
    },
    {
      ...row,
      title: `ls-remote with ${count} refs, stock git`,
      gitStarts: 4,
      samples: await interleave(contenders, rounds, ({ refs }) => time(() => listRefsWithGit(refs))),
    },
  ];
};
