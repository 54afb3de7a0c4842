/** Randomly changed fetches: never a 5xx, and never a broken pack. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import { holds } from '../../../steps/holds.ts';
import { checksumFits } from '../../../tools/taken-pack.ts';
import { packOf, post, readPackets, type ReadPacket } from '../../../tools/wire-client.ts';
import { changed, changes } from './byte-changes.ts';
import { fetches, repoToChange, type Fetch } from './requests.ts';

const bodies = fetches.map(({ body }) => body);

function isFatal(read: ReadPacket): boolean {
  return typeof read !== 'string' && read[0] === 3;
}

export const gitMutationFetches: Suite = suite({
  id: 'git/mutation/fetches',
  requirements: ['GIT-016', 'GIT-017', 'GIT-090'],
  level: 'MUST',
  explanation: 'A fetch that is changed in any of its bytes gets a pack that is whole, or a refusal.',
  async run(t) {
    const repo = await repoToChange(t);
    const isOld = repo.isOld === true;
    const version = fc.constantFrom<0 | 1 | 2 | undefined>(undefined, 0, 1, isOld ? 0 : 2);
    const known = fetches.filter((one) => !isOld || one.version === 0);
    const property = fc.asyncProperty(fc.nat(known.length - 1), version, changes, async (number, other, steps) => {
      const one = known[number] as Fetch;
      const reply = await post(repo, changed(one.body, steps, bodies), { version: other ?? one.version });
      assert([200, 400, 413].includes(reply.status), `A fetch is answered 200, 400 or 413, not ${reply.status}.`);
      if (reply.status !== 200) return;
      // Without side-band, the raw pack follows the acknowledgments.
      const start = reply.body.indexOf('PACK');
      const isBare = start >= 0 && !(start > 4 && reply.body[start - 1] === 1);
      if (isBare) assert(checksumFits(reply.body.subarray(start)), 'A bare pack is whole.');
      else assert(!readPackets(reply.body).some(isFatal), 'No fetch ends in band 3.');
      if (reply.body.includes('packfile\n')) assert(checksumFits(packOf(reply.body)), 'A pack in band 1 is whole.');
    });
    await holds(t, 60, property);
  },
});
