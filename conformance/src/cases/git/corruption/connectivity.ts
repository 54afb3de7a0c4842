import assert from 'node:assert/strict';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import { expectUncommon } from '../../../steps/forked.ts';
import { expectIntact, expectNotOurs, refsOf } from '../../../tools/hosted-objects.ts';
import { change, pack, tag } from '../../../tools/made-objects.ts';
import { expectReport, taken } from '../../../tools/push-reports.ts';
import { same } from '../../../tools/same.ts';
import { set } from '../../../tools/wire-client.ts';
import { holes, type Hole } from './holes.ts';
import { incomplete, known, repoWithKnown } from './known.ts';
import { stateOf } from './refusal.ts';

function caseOf({ name, ref, value, sent, missing }: Hole): Case {
  return {
    id: `git/corruption/connectivity/${name}`,
    requirements: ['GIT-064', 'GIT-149', 'GIT-151', 'GIT-152'],
    level: 'MUST',
    needs: ['fresh repo'],
    explanation: `A command whose value lacks this is refused alone, until it comes: ${name.replaceAll('-', ' ')}.`,
    async run(t) {
      const repo = await repoWithKnown(t);
      const good = change('good', known);
      const other = 'refs/heads/good';
      const objects = sent.filter(({ oid }) => !missing.some((lost) => lost.oid === oid));
      const alone = [set(ref, value)];
      const both = [...alone, set(other, good)];

      const before = await stateOf(t, repo);
      await expectReport(repo, alone, pack(...objects), incomplete(ref), 'Alone it is refused.');
      // `git/transactions/atomic` judges another server by that.
      if (repo.foreign !== true)
        await expectReport(
          repo,
          both,
          pack(...objects, ...good.all),
          [...incomplete(ref), `ng ${other} atomic push failure`],
          'With atomic it holds back the others.',
          'atomic',
        );
      same(await stateOf(t, repo), before, 'Nothing changed by either.');

      const report = [...incomplete(ref), `ok ${other}`];
      await expectReport(repo, both, pack(...objects, ...good.all), report, 'Beside a sound one it is refused alone.');
      assert.equal((await refsOf(repo))[ref], undefined, 'Its ref was not made.');
      // Git lets a server send everything that it has.
      for (const object of repo.foreign === true ? [] : new Set([value, ...objects])) {
        await expectNotOurs(repo, object, 'What it brought cannot be fetched.');
      }
      if (value.kind === 'commit' && repo.foreign !== true) await expectUncommon(repo, good, [value]);

      await expectReport(repo, alone, pack(), incomplete(ref), 'What may be stored of it does not make it complete.');
      await expectReport(repo, alone, pack(...objects), incomplete(ref), 'Nor does sending it again.');
      const above = change('heir', value);
      const [heir, heirObjects] = ref.startsWith('refs/heads/')
        ? [above, above.all]
        : [tag('heir', value), [tag('heir', value)]];
      const over = `${ref}-heir`;
      await expectReport(
        repo,
        [set(over, heir)],
        pack(...heirObjects),
        incomplete(over),
        'Nor is what is built on it.',
      );

      await expectReport(
        repo,
        [...alone, set(over, heir)],
        pack(...missing, ...objects, ...heirObjects),
        taken(ref, over),
        'With what was missing both are taken.',
      );
      await expectIntact(repo);
    },
  };
}

export const gitCorruptionConnectivity: Suite = suite(...holes.map(caseOf));
