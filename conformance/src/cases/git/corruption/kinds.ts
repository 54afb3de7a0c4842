import { suite, type Suite } from '../../../core/case.ts';
import { expectIntact } from '../../../tools/hosted-objects.ts';
import { blob, change, commit, made, noObject, pack, tag, tree, type MadeObject } from '../../../tools/made-objects.ts';
import { expectReport, refused, taken } from '../../../tools/push-reports.ts';
import { rawTree } from '../../../tools/raw-tree.ts';
import { accepted } from '../../../steps/repo-with.ts';
import { set } from '../../../tools/wire-client.ts';
import { incomplete, known, repoWithKnown } from './known.ts';

/** A ref value that names an object as the wrong kind, and all objects that it could need. */
interface WrongKind {
  readonly name: string;
  readonly ref: string;
  readonly value: MadeObject;
  readonly objects: readonly MadeObject[];
}

const file = blob('kinds\n');
const root = tree({ file });
const node = commit('kinds', root, [known]);
const label = tag('sound', node);
const sound = [file, root, node, label];

function of(name: string, top: MadeObject, ...parents: readonly MadeObject[]): WrongKind {
  const value = commit(name, top, parents);
  const ref = 'refs/heads/bad';
  return { name, ref, value, objects: top.kind === 'tree' ? [value, top, ...sound] : [value, ...sound] };
}

function lie(name: string, type: string, target: MadeObject): WrongKind {
  const value = made('tag', `object ${target.oid}\ntype ${type}\ntag lie\ntagger Ada <a@example.com> 1 +0000\n\nx\n`);
  return { name, ref: 'refs/tags/bad', value, objects: [value, ...sound] };
}

const wrong: readonly WrongKind[] = [
  of('a file that is a tree', rawTree(['100644', 'x', root]), known),
  of('an executable that is a tree', rawTree(['100755', 'x', root])),
  of('a symbolic link that is a tree', rawTree(['120000', 'x', root]), known),
  of('a file that is a commit', rawTree(['100644', 'x', node]), known),
  of('a folder that is a file', rawTree(['40000', 'x', file]), known),
  of('a folder of odd permissions that is a file', rawTree(['40755', 'x', file]), known),
  of('a folder that is a commit', rawTree(['40000', 'x', node])),
  of('a tree that is a file', file, known),
  of('a tree that is a commit', node),
  of('a parent that is a file', root, file),
  of('a parent that is a tree', root, known, root),
  of('a parent that is a tag', root, label),
  lie('a tag of a commit that is a tree', 'commit', root),
  lie('a tag of a commit that is a file', 'commit', file),
  lie('a tag of a commit that is a tag', 'commit', label),
  lie('a tag of a tag that is a commit', 'tag', node),
  lie('a tag of a tree that is a commit', 'tree', node),
  lie('a tag of a tree that is a file', 'tree', file),
  lie('a tag of a file that is a tree', 'blob', root),
  lie('a tag of a file that is a commit', 'blob', node),
];

export const gitCorruptionKinds: Suite = suite(
  {
    id: 'git/corruption/kinds/named-as-another',
    requirements: ['GIT-149'],
    level: 'MUST',
    explanation: 'An object that is not of the kind it is named as counts as missing, however it came to the repo.',
    async run(t) {
      const repo = await repoWithKnown(t);
      for (const [number, { name, ref, value, objects }] of wrong.entries()) {
        const report = incomplete(ref);
        await expectReport(repo, [set(ref, value)], pack(...objects), report, `Sent along: ${name}.`);
        const good = change(`good ${number}`, known);
        const other = `refs/heads/good-${number}`;
        const both = [set(ref, value), set(other, good)];
        const what = `Beside a sound command: ${name}.`;
        await expectReport(repo, both, pack(...objects, ...good.all), [...report, `ok ${other}`], what);
        await expectReport(repo, [set(ref, value)], pack(), report, `Stored by that push: ${name}.`);
      }
      await accepted(repo, [set('refs/heads/node', node), set('refs/tags/sound', label)], pack(...sound));
      for (const { name, ref, value } of wrong) {
        await expectReport(repo, [set(ref, value)], pack(), incomplete(ref), `Reached by other refs: ${name}.`);
      }
      await expectIntact(repo);
    },
  },
  {
    id: 'git/corruption/kinds/branches',
    requirements: ['GIT-123'],
    level: 'MUST',
    explanation: 'A branch points to a commit; other refs may point to anything.',
    async run(t) {
      const repo = await repoWithKnown(t);
      for (const value of [tag('t', known), known.root, known.file]) {
        await expectReport(
          repo,
          [set('refs/heads/x', value), set('refs/tags/x', value)],
          pack(value),
          [...refused('refs/heads/x', 'not a commit'), 'ok refs/tags/x'],
          `A ${value.kind} can be named by a tag and not by a branch.`,
        );
        await accepted(repo, [{ old: value.oid, new: noObject, ref: 'refs/tags/x' }]);
      }
    },
  },
  {
    id: 'git/corruption/kinds/odd-modes',
    requirements: ['GIT-149'],
    level: 'MUST',
    // Git with receive.fsckObjects refuses it.
    own: true,
    explanation: 'An entry of an odd mode is a link to a submodule, as for Git, and is not followed.',
    async run(t) {
      const repo = await repoWithKnown(t);
      const stray = change('stray');
      const odd = rawTree(['0', 'a', stray], ['20000', 'b', stray], ['140000', 'c', stray], ['160644', 'd', stray]);
      const value = commit('odd', odd, [known]);
      const ref = 'refs/heads/odd';
      await expectReport(repo, [set(ref, value)], pack(value, odd), taken(ref), 'What is not followed is not missing.');
      await expectIntact(repo);
    },
  },
);
