/** Random histories as Git allows them: merges, reverts, tags of any kind, submodule links, odd names and modes. */

import fc from 'fast-check';
import { blob, made, noObject, tag, type MadeObject } from './made-objects.ts';
import { rawTree } from './raw-tree.ts';
import { reached } from './reached-objects.ts';

/** One step of a history. The numbers pick among earlier objects, and may have any size. */
export interface Step {
  readonly makes: 'commit' | 'tag' | 'name a tree' | 'name a file';
  readonly picks: readonly number[];
  /** Path, content and mode of each change. */
  readonly edits: readonly (readonly [path: number, content: number, mode: number])[];
  readonly message: string;
  readonly header: string;
  /** True if the step also creates a ref. */
  readonly isNamed: boolean;
}

export interface History {
  /** Refs by name, in the order of their creation. */
  readonly refs: ReadonlyMap<string, MadeObject>;
  /** All objects that the refs reach. */
  readonly objects: ReadonlyMap<string, MadeObject>;
}

// Names as bytes, one a character. None is a folder of another one; `dir.x` and `dir0` sort around the folder.
const paths = ['a', 'a.b', 'a0', 'dir/x', 'dir/deep/z', 'dir.x', 'dir0', 'UPPER', 'with space', 'Ã¤/Ã¼', 'caf\xe9'];
const modes = ['100644', '100644', '100644', '100755', '120000', '160000'];
/** Modes that `git fsck --strict` reports. */
const oddModes = ['100664', '100600'];
const headers = [
  '',
  'encoding ISO-8859-1\n',
  'gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n',
];
const person = 'Ada Example <ada@example.com>';

/** Generates steps for {@link buildHistory}. `isOdd` adds modes that Git accepts, but not in its strict checks. */
export function historySteps({ isOdd, most = 20 }: { isOdd: boolean; most?: number }): fc.Arbitrary<Step[]> {
  const step = fc.record({
    makes: fc.oneof(
      { weight: 6, arbitrary: fc.constant('commit' as const) },
      { weight: 2, arbitrary: fc.constant('tag' as const) },
      { weight: 1, arbitrary: fc.constantFrom('name a tree' as const, 'name a file' as const) },
    ),
    picks: fc.array(fc.nat(99), { minLength: 4, maxLength: 4 }),
    edits: fc.array(
      fc.tuple(fc.nat(paths.length - 1), fc.nat(30), fc.nat(modes.length - 1 + (isOdd ? oddModes.length : 0))),
      { maxLength: 4 },
    ),
    message: fc.string({ maxLength: 10 }),
    header: fc.constantFrom(...headers),
    isNamed: fc.boolean(),
  });
  // Without bias, since otherwise nearly all histories would be tiny.
  return fc.noBias(fc.array(step, { minLength: Math.ceil(most / 3), maxLength: most, size: 'max' }));
}

interface Entry {
  readonly mode: string;
  readonly object: MadeObject;
}

interface Version {
  readonly node: MadeObject;
  readonly files: ReadonlyMap<string, Entry>;
}

/** Returns the time of the commit of a step, in seconds since 1970: a minute after the one before. */
export function steadyTime(step: number): number {
  return 1_700_000_000 + 60 * step;
}

/** Builds the history of these steps. `timeOf` returns the committer time of a step, in seconds since 1970. */
export function buildHistory(steps: readonly Step[], timeOf: (step: number) => number = steadyTime): History {
  const all = new Map<string, MadeObject>();
  const refs = new Map<string, MadeObject>();
  const versions: Version[] = [];
  const tags: MadeObject[] = [];
  const keep = <T extends MadeObject>(object: T): T => {
    all.set(object.oid, object);
    return object;
  };
  for (const [i, step] of steps.entries()) {
    if (step.makes === 'commit' || versions.length === 0) {
      const version = nextVersion(timeOf(i), step, versions, keep);
      versions.push(version);
      if (step.isNamed) refs.set(`refs/heads/b${i}`, version.node);
      continue;
    }
    const { node, files } = pick(versions, step.picks[0]) as Version;
    const root = treeOf(files, keep);
    const file = [...files.values()].find(({ mode }) => mode !== '160000')?.object;
    if (step.makes === 'tag') {
      const target = pick([node, root, ...(file === undefined ? [] : [file]), ...tags], step.picks[1]) as MadeObject;
      tags.push(keep(tag(`t${i}`, target)));
      // Sometimes outside `refs/tags`, where `include-tag` ignores it.
      const folder = (step.picks[2] ?? 0) % 4 === 0 ? 'odd' : 'tags';
      if (step.isNamed) refs.set(`refs/${folder}/t${i}`, tags.at(-1) as MadeObject);
    } else {
      refs.set(`refs/odd/${i}`, step.makes === 'name a tree' || file === undefined ? root : file);
    }
  }
  refs.set('refs/heads/main', (versions.at(-1) as Version).node);
  const ids = reached(
    [...refs.values()].map(({ oid }) => oid),
    all,
  );
  return { refs, objects: new Map([...all].filter(([oid]) => ids.has(oid))) };
}

/**
 * Makes a commit with no parent, or one to three. Its files are those of its first parent with changes, or, for a
 * revert, those of an earlier commit.
 */
function nextVersion(
  time: number,
  { picks, edits, message, header }: Step,
  versions: readonly Version[],
  keep: <T extends MadeObject>(object: T) => T,
): Version {
  const [first = 0, second = 0, third = 0, form = 0] = picks;
  const near = versions.slice(-3);
  const parents = [
    ...(form % 10 === 0 ? [] : [pick(near, first)]),
    ...(form % 4 === 1 ? [pick(versions, second)] : []),
    ...(form % 8 === 1 ? [pick(versions, third)] : []),
  ].filter((version) => version !== undefined);
  const isRevert = form % 7 === 2;
  const files = new Map((isRevert ? pick(versions, second) : parents[0])?.files);
  for (const [path, content, mode] of isRevert ? [] : edits) {
    const name = paths[path] as string;
    if (content === 0) files.delete(name);
    else files.set(name, entryOf(content, [...modes, ...oddModes][mode] as string, keep));
  }
  const lines = [
    `tree ${treeOf(files, keep).oid}\n`,
    ...[...new Set(parents.map(({ node }) => node.oid))].map((oid) => `parent ${oid}\n`),
    `author ${person} ${time} +0100\n`,
    `committer ${person} ${time} -0330\n`,
    header,
    `\n${message}`,
  ];
  return { node: keep(made('commit', lines.join(''))), files };
}

function entryOf(content: number, mode: string, keep: <T extends MadeObject>(object: T) => T): Entry {
  if (mode === '160000')
    return { mode, object: { oid: String(content).padStart(40, '7'), kind: 'commit', body: noBody } };
  const lines = Array.from({ length: 40 }, (_, line) => `line ${line} ${line % 31 === content ? 'changed' : ''}`);
  return { mode, object: keep(blob(content % 5 === 0 ? `${content}` : `${lines.join('\n')}\n`)) };
}

const noBody = Buffer.from(noObject);

/** Makes the tree of these files, and those of its folders. */
function treeOf(files: ReadonlyMap<string, Entry>, keep: <T extends MadeObject>(object: T) => T): MadeObject {
  const entries = new Map<string, Entry>();
  const folders = new Map<string, Map<string, Entry>>();
  for (const [path, entry] of files) {
    const slash = path.indexOf('/');
    if (slash < 0) {
      entries.set(path, entry);
      continue;
    }
    const folder = path.slice(0, slash);
    const inside = folders.get(folder) ?? new Map<string, Entry>();
    folders.set(folder, inside.set(path.slice(slash + 1), entry));
  }
  for (const [name, inside] of folders) entries.set(name, { mode: '40000', object: treeOf(inside, keep) });
  const sortKey = (name: string, { mode }: Entry): string => (mode === '40000' ? `${name}/` : name);
  const sorted = [...entries].sort(([a, one], [b, two]) => (sortKey(a, one) < sortKey(b, two) ? -1 : 1));
  return keep(
    rawTree(...sorted.map(([name, { mode, object }]) => [mode, Buffer.from(name, 'latin1'), object] as const)),
  );
}

function pick<T>(from: readonly T[], number = 0): T | undefined {
  return from[number % from.length];
}

/** One push of some refs: the objects that it brings, and those that earlier pushes brought. */
export interface PartialPush {
  readonly refs: ReadonlyMap<string, MadeObject>;
  readonly brings: readonly MadeObject[];
  readonly before: readonly MadeObject[];
}

/** Divides the refs into pushes, each with the objects that earlier pushes did not bring. */
export function inPushes({ refs, objects }: History, count: number): PartialPush[] {
  const names = [...refs];
  const size = Math.ceil(names.length / count);
  const known = new Map<string, MadeObject>();
  const pushes: PartialPush[] = [];
  for (let at = 0; at < names.length; at += size) {
    const part = new Map(names.slice(at, at + size));
    const ids = reached(
      [...part.values()].map(({ oid }) => oid),
      objects,
    );
    const brings = [...ids].filter((oid) => !known.has(oid)).map((oid) => objects.get(oid) as MadeObject);
    pushes.push({ refs: part, brings, before: [...known.values()] });
    for (const object of brings) known.set(object.oid, object);
  }
  return pushes;
}
