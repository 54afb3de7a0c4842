import assert from 'node:assert/strict';
import { suite, type Suite } from '../../../core/case.ts';
import type { Context } from '../../../core/context.ts';
import { refsOf } from '../../../tools/hosted-objects.ts';
import { blob, commit, packEntry, packOfEntries, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { copyingDelta } from '../../../tools/copying-delta.ts';
import { main, taken } from '../../../tools/push-reports.ts';
import { same } from '../../../tools/same.ts';
import { post, pushBody, readPackets, reportOf, set } from '../../../tools/wire-client.ts';
import { only, soonCollected } from '../../../steps/settings.ts';

/** Makes a small pack that takes long to check: a commit, and large files described by a few bytes each. */
function laboriousPack(count: number): { readonly node: MadeObject; readonly bytes: Buffer } {
  const base = blob(Buffer.alloc(2_000_000, 'the same again\n'));
  const root = tree({ file: base });
  const node = commit('laborious', root);
  // A different ending makes a different file, and is at the end of the delta.
  const digits = 8;
  const ending = (i: number): Buffer => Buffer.from(String(i).padStart(digits, '0'));
  const delta = copyingDelta(base.body, Buffer.concat([base.body.subarray(0, -digits), ending(0)]));
  const strays = Array.from({ length: count }, (_, i) =>
    packEntry(7, Buffer.concat([delta.subarray(0, -digits), ending(i)]), Buffer.from(base.oid, 'hex')),
  );
  // The base comes last, so that checking starts only after all entries have arrived.
  return {
    node,
    bytes: packOfEntries([...strays, packEntry(1, node.body), packEntry(2, root.body), packEntry(3, base.body)]),
  };
}

/** Files of the first push, and of the largest. Native code checks them in some tenths of a second, and in seconds. */
const [few, many] = [150, 1500];

/** Silent periods that a push needs to show something: half of them must then contain a keep-alive. */
const enough = 4;

export const gitReceivePackKeepAlive: Suite = suite({
  id: 'git/receive-pack/keep-alive',
  requirements: ['LIM-063', 'GIT-113'],
  level: 'MUST',
  needs: ['settings'],
  slow: true,
  settings: only(soonCollected, 'keep_alive'),
  explanation: 'While a push is checked, empty packets of band 1 come before the silence gets too long.',
  async run(t) {
    const silence = soonCollected.keep_alive * 1000;
    for (let count = few; ;) {
      const { took, kept } = await pushed(t, count);
      // Half of the time may have been the network.
      const least = Math.floor(took / 2 / silence);
      assert.ok(kept >= least, `${kept} keep-alives came in ${Math.round(took)} ms.`);
      if (took >= enough * silence) return;
      if (count === many) {
        if (kept === 0) t.skip(`the push took only ${Math.round(took)} ms`);
        return;
      }
      // Scaled to the missing time, and by half again, because not all of the time depends on the files.
      count = Math.min(many, Math.ceil((1.5 * count * enough * silence) / took));
    }
  },
});

/** Pushes so many files. Returns the milliseconds and the number of keep-alives. */
async function pushed(t: Context, count: number): Promise<{ readonly took: number; readonly kept: number }> {
  const repo = await t.createRepo();
  const { node, bytes } = laboriousPack(count);
  const began = performance.now();
  const { body } = await post(repo, pushBody([set(main, node)], bytes), { service: 'git-receive-pack', version: 0 });
  const took = performance.now() - began;
  same(reportOf(body), taken(main), 'The push is taken.');
  assert.equal((await refsOf(repo))[main], node.oid, 'The ref stands.');
  const kept = readPackets(body).filter((read) => typeof read !== 'string' && read.length === 1 && read[0] === 1);
  return { took, kept: kept.length };
}
