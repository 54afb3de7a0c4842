import { suite, type Suite } from '../../../core/case.ts';
import { idsOf } from '../../../tools/hosted-objects.ts';
import { change, pack } from '../../../tools/made-objects.ts';
import { accepted, repoWith } from '../../../tools/repo-with.ts';
import { same } from '../../../tools/same.ts';
import { linesOf, set } from '../../../tools/wire-client.ts';
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
    requirements: ['GIT-061'],
    level: 'SHOULD',
    beyond: true,
    explanation: 'A want that a push took its ref from after it was listed is answered still.',
    async run(t) {
      const old = change('old');
      const next = change('next');
      const repo = await repoWith(t, { 'refs/heads/main': old }, old.all);
      await accepted(repo, [set('refs/heads/main', next, old)], pack(...next.all));
      const reply = await ask(repo, [old.oid], [], 'ofs-delta');
      const { lines, pack: sent } = split(reply);
      if (lines[0]?.startsWith('ERR ') === true) t.unsupported(`stale tips are forgotten: ${lines[0]}`);
      same(lines, ['NAK'], 'The want is answered by NAK and a pack.');
      same(idsIn(sent), idsOf(old.all), 'The pack holds what was wanted.');
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
