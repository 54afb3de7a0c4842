/** Randomly changed pushes: never a 5xx, and never a ref that moved without a valid push. */

import fc from 'fast-check';
import { suite, type Suite } from '../../../core/case.ts';
import { holds } from '../../../steps/holds.ts';
import { expectReport, taken } from '../../../tools/push-reports.ts';
import { putPack, takePack } from '../../../tools/taken-pack.ts';
import { changed, changes } from './byte-changes.ts';
import { packChanges } from './pack-changes.ts';
import { bodyOf, expectRefsAsToldBy, expectSoundPush, pushes, repoToChange, type Push } from './requests.ts';

const anyPush = fc.nat(pushes.length - 1).map((number) => pushes[number] as Push);
const bodies = pushes.map((one) => bodyOf(one));
const commands = pushes.map((one) => bodyOf(one, Buffer.alloc(0)));

export const gitMutationPushes: Suite = suite(
  {
    id: 'git/mutation/pushes/none',
    requirements: ['GIT-118'],
    level: 'MUST',
    explanation: 'The pushes that the other cases change are taken as they are.',
    async run(t) {
      const repo = await repoToChange(t);
      for (const one of pushes) {
        const again = putPack(takePack(one.pack));
        const report = taken(...one.commands.map(({ ref }) => ref));
        await expectReport(repo, one.commands, again, report, 'A valid push is taken.', one.capabilities);
        await expectRefsAsToldBy(repo, bodyOf(one));
      }
    },
  },
  {
    id: 'git/mutation/pushes/bytes',
    requirements: ['GIT-016', 'GIT-114', 'GIT-142', 'GIT-153'],
    level: 'MUST',
    explanation: 'A push that is changed in any of its bytes is no failure of the service, and moves no ref wrongly.',
    async run(t) {
      const repo = await repoToChange(t);
      const property = fc.asyncProperty(fc.nat(), changes, async (number, steps) => {
        await expectSoundPush(repo, changed(bodies[number % bodies.length] as Buffer, steps, bodies));
      });
      await holds(t, 35, property);
    },
  },
  {
    id: 'git/mutation/pushes/packs',
    requirements: ['GIT-114', 'GIT-141', 'GIT-143', 'GIT-144', 'GIT-146', 'GIT-149'],
    level: 'MUST',
    explanation: 'So for one that is changed inside its pack, whose checksum is right.',
    async run(t) {
      const repo = await repoToChange(t);
      const more = fc.constantFrom(0, 0, 0, 1, -1);
      const property = fc.asyncProperty(anyPush, packChanges, more, async (one, steps, count) => {
        const entries = takePack(one.pack);
        for (const step of steps) step(entries);
        await expectSoundPush(repo, bodyOf(one, putPack(entries, entries.length + count)));
      });
      await holds(t, 35, property);
    },
  },
  {
    id: 'git/mutation/pushes/commands',
    requirements: ['GIT-016', 'GIT-110', 'GIT-120', 'GIT-125'],
    level: 'MUST',
    explanation: 'So for one that is changed in its commands alone.',
    async run(t) {
      const repo = await repoToChange(t);
      const property = fc.asyncProperty(fc.nat(pushes.length - 1), changes, async (number, steps) => {
        const head = changed(commands[number] as Buffer, steps, commands);
        await expectSoundPush(repo, Buffer.concat([head, (pushes[number] as Push).pack]));
      });
      await holds(t, 25, property);
    },
  },
);
