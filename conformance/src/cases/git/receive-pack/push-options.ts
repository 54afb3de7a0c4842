import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import { refsOf } from '../../../tools/hosted-objects.ts';
import { pack } from '../../../tools/made-objects.ts';
import { taken } from '../../../tools/push-reports.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { flush, packet, pushBody, remove, reportOf, set, type Remote } from '../../../tools/wire-client.ts';
import { first, repoWithFirst, send } from './start.ts';

const ref = 'refs/heads/options';

/** Pushes with these options. Returns the report. */
export async function pushWithOptions(
  repo: Remote,
  options: readonly string[],
  capability = 'push-options',
): Promise<string[]> {
  const body = Buffer.concat([
    pushBody([set(ref, first)], Buffer.alloc(0), `report-status side-band-64k ${capability}`),
    ...(capability === '' ? [] : [...options.map((option) => packet(option)), flush]),
    pack(...first.all),
  ]);
  const report = reportOf((await send(repo, body)).body);
  if (report[1]?.startsWith('ok')) await accepted(repo, [remove(ref, first)]);
  return report;
}

export const gitReceivePackOptions: Suite = suite(
  {
    id: 'git/receive-pack/push-options/any',
    requirements: ['GIT-117'],
    level: 'MUST',
    beyond: true,
    explanation: 'No push option is refused and none has a meaning; there may also be none.',
    async run(t) {
      const repo = await repoWithFirst(t);
      for (const options of [
        [],
        ['ci.skip'],
        ['', 'a=b\n', 'ünïcode', '\0\x01'],
        Array.from({ length: 64 }, () => 'x'.repeat(1024)),
      ]) {
        same(await pushWithOptions(repo, options), taken(ref), `A push with ${options.length} options is taken.`);
      }
      same(await pushWithOptions(repo, [], ''), taken(ref), 'A push that negotiates no options has no list of them.');
    },
  },
  {
    id: 'git/receive-pack/push-options/too-many',
    requirements: ['LIM-058', 'GIT-165'],
    level: 'MUST',
    beyond: true,
    own: true,
    explanation: 'More than 64 push options, or one of more than 1,024 bytes, are too many.',
    async run(t) {
      const repo = await repoWithFirst(t);
      for (const options of [Array.from({ length: 65 }, () => 'x'), ['x'.repeat(1025)]]) {
        const [unpack = '', ...results] = await pushWithOptions(repo, options);
        assert.match(unpack, /^unpack too many push options\b/);
        same(
          results,
          [`ng ${ref} too many push options`],
          `A push with ${options.length} options of ${options[0]?.length} bytes is refused.`,
        );
      }
      assert.equal((await refsOf(repo))[ref], undefined, 'The ref was not made.');
    },
  },
);
