import { suite, type Suite } from '../../../core/case.ts';
import { expectIntact, refsOf } from '../../../tools/hosted-objects.ts';
import { change, commit, pack, tag, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { expectReport, main, taken } from '../../../tools/push-reports.ts';
import { rawTree } from '../../../tools/raw-tree.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { set } from '../../../tools/wire-client.ts';
import { incomplete, known, repoWithKnown } from './known.ts';

const stray = change('stray');
const bad = 'refs/heads/bad';

export const gitCorruptionStrays: Suite = suite(
  {
    id: 'git/corruption/strays/submodule-links',
    requirements: ['GIT-149'],
    level: 'MUST',
    needs: ['fresh repo'],
    explanation:
      'A submodule link does not stand for a file or folder of the same id, also in the child of its commit.',
    async run(t) {
      for (const [mode, missing] of [
        ['100644', [stray.file]],
        ['40000', [stray.root, stray.file]],
      ] as const) {
        const [target] = missing;
        const linked = rawTree(['160000', 'x', target]);
        const parent = commit('links', linked, [known]);
        const child = commit('is it', rawTree([mode, 'x', target]), [parent]);
        const sent = [child, rawTree([mode, 'x', target])];
        for (const together of [true, false]) {
          const repo = await repoWithKnown(t);
          const forward = set(main, parent, known);
          if (together) {
            await expectReport(
              repo,
              [forward, set(bad, child)],
              pack(parent, linked, ...sent),
              [...taken(main), `ng ${bad} missing necessary objects`],
              `In one push, an entry of mode ${mode} is missing, and the link is not followed.`,
            );
            if ((await refsOf(repo))[main] === known.oid) await accepted(repo, [forward], pack(parent, linked));
          } else {
            await accepted(repo, [forward], pack(parent, linked));
            const what = `In two pushes, an entry of mode ${mode} is missing.`;
            await expectReport(repo, [set(bad, child)], pack(...sent), incomplete(bad), what);
          }
          await accepted(repo, [set(bad, child)], pack(...sent, ...missing));
          await expectIntact(repo);
        }
      }
    },
  },
  {
    id: 'git/corruption/strays/trees',
    requirements: ['GIT-149'],
    level: 'MUST',
    needs: ['fresh repo'],
    explanation: 'A tree with a hole that an earlier push left behind does not help a later one, at any place.',
    async run(t) {
      const repo = await repoWithKnown(t);
      const hole = tree({ lost: stray.file, other: known.file });
      const good = change('beside the hole', known);
      const over = commit('hole', hole, [known]);
      await expectReport(
        repo,
        [set(bad, over), set('refs/heads/good', good)],
        pack(over, hole, ...good.all),
        [...incomplete(bad), 'ok refs/heads/good'],
        'The hole is found where it comes.',
      );

      const inFolder = tree({ folder: hole });
      const soundFolder = tree({ other: known.file });
      const parent = commit('folder', tree({ folder: soundFolder }), [known]);
      const twice = tree({ a: known.root, b: hole });
      const values: readonly (readonly [name: string, value: MadeObject, objects: readonly MadeObject[]])[] = [
        ['as-the-tree', commit('again', hole, [known]), []],
        ['in-a-folder', commit('in a folder', inFolder, [known]), [inFolder]],
        [
          'in-a-folder-that-was-sound-in-the-parent',
          commit('in a changed folder', inFolder, [parent]),
          [inFolder, parent, tree({ folder: soundFolder }), soundFolder],
        ],
        ['as-one-of-two-folders', commit('twice', twice, [known]), [twice]],
      ];
      for (const [name, value, objects] of values) {
        await expectReport(
          repo,
          [set(bad, value)],
          pack(value, ...objects),
          incomplete(bad),
          `The hole stands ${name}.`,
        );
      }
      const label = tag('hole', hole);
      await expectReport(
        repo,
        [set('refs/tags/bad', label)],
        pack(label),
        incomplete('refs/tags/bad'),
        'A tag names it.',
      );
      await expectReport(repo, [set('refs/trees/bad', hole)], pack(), incomplete('refs/trees/bad'), 'A ref names it.');
      for (const [name, value, objects] of values) {
        await accepted(repo, [set(`refs/heads/${name}`, value)], pack(value, hole, ...objects, stray.file));
      }
      await expectIntact(repo);
    },
  },
  {
    id: 'git/corruption/strays/other-repo',
    requirements: ['GIT-149', 'GIT-154'],
    level: 'MUST',
    beyond: true,
    explanation: 'What only another repo has is missing.',
    async run(t) {
      const [here, there] = [await repoWithKnown(t), await repoWithKnown(t)];
      const value = change('only there', known);
      const ref = 'refs/heads/x';
      await accepted(there, [set(ref, value)], pack(...value.all));
      await expectReport(here, [set(ref, value)], pack(), incomplete(ref), 'The value is missing.');
      await expectReport(here, [set(ref, value)], pack(value, value.root), incomplete(ref), 'Its file is missing.');
      await accepted(here, [set(ref, value)], pack(...value.all));
    },
  },
);
