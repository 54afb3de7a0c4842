import { suite, type Case, type Suite } from '../../../core/case.ts';
import { insertingDelta, made, packEntry, packOfEntries, tag, type MadeObject } from '../../../tools/made-objects.ts';
import { rawTree } from '../../../tools/raw-tree.ts';
import { base, entries, expectRefusals, next, referenceDelta, withEntry, type Refusal } from './refusal.ts';

const person = 'Ada Example <ada@example.com> 1700000000 +0000';
const { file, root } = base;
const lines = (...parts: readonly string[]): string => `${parts.join('\n')}\n\nx\n`;
const sound = { commit: next, tree: next.root, tag: tag('sound', next), blob: next.file };
const kindNumbers = { commit: 1, tree: 2, blob: 3, tag: 4 };

const trees: Readonly<Record<string, MadeObject>> = {
  'an empty name': rawTree(['100644', '', file]),
  'the name .': rawTree(['100644', '.', file]),
  'the name ..': rawTree(['40000', '..', root]),
  'the name .git': rawTree(['40000', '.git', root]),
  'the name .GiT': rawTree(['100644', '.GiT', file]),
  'a name with a slash': rawTree(['100644', 'a/b', file]),
  'a tree that is cut off': made('tree', rawTree(['100644', 'a', file]).body.subarray(0, -1)),
  'a mode that is none': rawTree(['10064x', 'a', file]),
};

/** Objects that only `strict_objects` refuses, which is on by default for pushes. */
const strictTrees: Readonly<Record<string, MadeObject>> = {
  'entries that are not sorted': rawTree(['100644', 'b', file], ['100644', 'a', file]),
  'entries sorted as if folders were files': rawTree(['40000', 'a', root], ['100644', 'a.b', file]),
  'an entry twice': rawTree(['100644', 'a', file], ['100644', 'a', file]),
  'a file and a folder of one name': rawTree(['100644', 'a', file], ['100644', 'a.b', file], ['40000', 'a', root]),
};

const commits: Readonly<Record<string, MadeObject>> = {
  'a commit without a tree': made('commit', lines(`author ${person}`, `committer ${person}`)),
  'a commit without an author': made('commit', lines(`tree ${root.oid}`, `committer ${person}`)),
  'a commit without a committer': made('commit', lines(`tree ${root.oid}`, `author ${person}`)),
  'a parent that is no id': made(
    'commit',
    lines(`tree ${root.oid}`, 'parent main', `author ${person}`, `committer ${person}`),
  ),
  'an empty commit': made('commit', ''),
};

const tags: Readonly<Record<string, MadeObject>> = {
  'a tag without an object': made('tag', lines('type commit', 'tag x', `tagger ${person}`)),
  'a tag of no known type': made('tag', lines(`object ${base.oid}`, 'type branch', 'tag x', `tagger ${person}`)),
  'a tag without a name': made('tag', lines(`object ${base.oid}`, 'type commit', `tagger ${person}`)),
};

/** Returns the object undeltified, and as a delta of a valid object of its kind. */
function refusalsOf(objects: Readonly<Record<string, MadeObject>>): Refusal[] {
  return Object.entries(objects).flatMap(([name, object]) => {
    const from = sound[object.kind];
    const base = packEntry(kindNumbers[from.kind], from.body);
    const delta = packEntry(
      referenceDelta,
      insertingDelta(from.body.length, object.body),
      Buffer.from(from.oid, 'hex'),
    );
    const others = entries.filter((entry) => !entry.equals(base));
    const reason = `invalid object ${object.oid}`;
    const whole = { name, bytes: withEntry(packEntry(kindNumbers[object.kind], object.body)).bytes, reason };
    // Git accepts no delta of an empty object.
    if (object.body.length === 0) return [whole];
    return [whole, { name: `${name}, made by a delta`, bytes: packOfEntries([...others, base, delta]), reason }];
  });
}

export const gitCorruptionObjects: Suite = suite(
  ...(
    [
      ['trees', trees, 'A tree that cannot be read, or that has a name no checkout may have, is refused by its id.'],
      ['strict-trees', strictTrees, 'By default a tree that is not sorted, or has a name twice, is refused by its id.'],
      ['commits', commits, 'A commit that cannot be read is refused by its id.'],
      ['tags', tags, 'A tag that cannot be read is refused by its id.'],
    ] as const
  ).map(([name, objects, explanation]): Case => ({
    id: `git/corruption/objects/${name}`,
    requirements: ['GIT-146', 'GIT-114'],
    level: 'MUST',
    explanation,
    run: (t) => expectRefusals(t, refusalsOf(objects)),
  })),
);
