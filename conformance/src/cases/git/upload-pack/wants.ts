import { suite, type Suite } from '../../../core/case.ts';
import { askFor, packIn, versions } from '../../../tools/fetch-request.ts';
import { idsOf, refsOf } from '../../../tools/hosted-objects.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../steps/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { linesOf, remove, set } from '../../../tools/wire-client.ts';
import { ask, at, idsIn, inner, repoWithHistory, split, tip, treeTag, unknown } from './history.ts';

export const gitUploadPackWants: Suite = suite(
  {
    id: 'git/upload-pack/wants/reachable',
    requirements: ['GIT-060'],
    level: 'MUST',
    explanation: 'Any object that a visible ref reaches may be wanted, also a tree, a blob or an old commit.',
    async run(t) {
      const repo = await repoWithHistory(t);
      for (const [name, want, expected] of [
        ['the oldest commit', at(0), at(0).all],
        ['a commit in the middle', at(1), [...at(0).all, ...at(1).all]],
        ['a tree', at(1).root, [at(1).root, at(1).file]],
        ['a blob', at(4).file, [at(4).file]],
        ['a tag that only a tag names', inner, [inner, ...at(0).all, ...at(1).all, ...at(2).all]],
        ['a tag of a tree', treeTag, [treeTag, at(3).root, at(3).file]],
      ] as const) {
        const { lines, pack } = split(await ask(repo, [want.oid], [], 'ofs-delta'));
        same(lines, ['NAK'], `A want of ${name} is answered by NAK and a pack.`);
        same(idsIn(pack), idsOf(expected), `A want of ${name} brings it and what it reaches.`);
      }
    },
  },
  {
    id: 'git/upload-pack/wants/unreachable',
    requirements: ['GIT-060'],
    level: 'MUST',
    explanation: 'A want that no visible ref reaches is refused by its id.',
    async run(t) {
      const repo = await repoWithHistory(t);
      for (const version of [0, 1] as const) {
        for (const wants of [[unknown], [tip.oid, unknown]]) {
          same(
            linesOf(await ask(repo, wants, [], '', 'done', version)),
            [`ERR upload-pack: not our ref ${unknown}`],
            `In version ${version}, ${wants.length} wants with an unknown one are refused.`,
          );
        }
      }
    },
  },
  {
    id: 'git/upload-pack/wants/stale-tip',
    requirements: ['GIT-061', 'LIM-065', 'GIT-127'],
    level: 'MUST',
    beyond: true,
    explanation: 'A want that a push took its ref from after it was listed is answered still, with what it reaches.',
    async run(t) {
      const old = change('old');
      const onTop = change('on top', old);
      const next = change('next');
      const refs = { 'refs/heads/main': onTop, 'refs/heads/side': onTop, 'refs/tags/old': treeTag };
      const repo = await repoWith(t, refs, [...old.all, ...onTop.all, treeTag, at(3).root, at(3).file]);
      const moves = [
        set('refs/heads/main', next, onTop),
        remove('refs/heads/side', onTop),
        remove('refs/tags/old', treeTag),
      ];
      await accepted(repo, moves, pack(...next.all));
      for (const version of versions) {
        for (const [want, all] of [
          [onTop, [...old.all, ...onTop.all]],
          [old, old.all],
          [onTop.root, [onTop.root, onTop.file]],
          [treeTag, [treeTag, at(3).root, at(3).file]],
        ] as const) {
          const reply = await askFor(repo, version, { wants: [want.oid] });
          if (reply.error !== undefined) t.unsupported(`stale tips are forgotten: ${reply.error}`);
          same(idsIn(packIn(reply)), idsOf(all), `The pack holds what was wanted, in version ${version}.`);
        }
        const { error } = await askFor(repo, version, { wants: [unknown] });
        same(error, `upload-pack: not our ref ${unknown}`, 'What was never there is refused as ever.');
      }
      same(Object.keys(await refsOf(repo)), ['refs/heads/main'], 'The refs are not listed any more.');
    },
  },
  {
    id: 'git/upload-pack/wants/alone',
    requirements: ['GIT-063'],
    level: 'MUST',
    explanation: 'A body that ends with the flush after the wants gets an empty reply.',
    async run(t) {
      const repo = await repoWithHistory(t);
      for (const words of ['', 'multi_ack', 'multi_ack_detailed no-done side-band-64k']) {
        const reply = await ask(repo, [tip.oid], [], words, 'wants');
        same(reply.toString('latin1'), '', `With the capabilities "${words}" the reply is empty.`);
      }
    },
  },
);
