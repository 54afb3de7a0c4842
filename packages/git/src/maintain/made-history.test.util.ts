import { blobKind, commitKind, kindName, tagKind, treeKind, type GitObject, type KindNumber } from '../object/kind.ts';
import { idOf } from '../pack/made-pack.test.util.ts';

const person = 'Ada Example <ada@example.com>';

/** An object with what it refers to. */
export interface MadeObject extends GitObject {
  readonly id: string;
  readonly links: readonly MadeObject[];
}

/** An entry of a tree: `link` is the id of a commit elsewhere, for a submodule. */
export interface MadeTreeEntry {
  readonly name: string;
  readonly object?: MadeObject;
  readonly link?: string;
}

function made(kind: KindNumber, body: Uint8Array | string, links: readonly MadeObject[]): MadeObject {
  const object = { kind, body: new Uint8Array(Buffer.from(body as Uint8Array)) };
  return { ...object, id: idOf(object), links };
}

export function blob(text: string | Uint8Array): MadeObject {
  return made(blobKind, text, []);
}

export function tree(entries: readonly MadeTreeEntry[]): MadeObject {
  const sortName = ({ name, object }: MadeTreeEntry): string => (object?.kind === treeKind ? `${name}/` : name);
  const sorted = [...entries].sort((a, b) => (sortName(a) < sortName(b) ? -1 : 1));
  const parts = sorted.flatMap(({ name, object, link }) => {
    const mode = object === undefined ? '160000' : object.kind === treeKind ? '40000' : '100644';
    return [Buffer.from(`${mode} ${name}\0`), Buffer.from(object?.id ?? (link as string), 'hex')];
  });
  return made(
    treeKind,
    Buffer.concat(parts),
    sorted.flatMap(({ object }) => object ?? []),
  );
}

export function commit(root: MadeObject, parents: readonly MadeObject[], second: number): MadeObject {
  const lines = [`tree ${root.id}`, ...parents.map(({ id }) => `parent ${id}`)];
  const by = `${person} ${1_700_000_000 + second} +0000`;
  return made(commitKind, `${lines.join('\n')}\nauthor ${by}\ncommitter ${by}\n\nchange ${second}\n`, [
    root,
    ...parents,
  ]);
}

export function tag(target: MadeObject, second: number): MadeObject {
  const lines = [`object ${target.id}`, `type ${kindName(target.kind)}`, `tag t${second}`];
  return made(tagKind, `${lines.join('\n')}\ntagger ${person} ${1_700_000_000 + second} +0000\n\ntag\n`, [target]);
}

/** Returns the objects that these reach, themselves included, by id, without those in `without` and behind them. */
export function closure(
  from: Iterable<MadeObject>,
  without: ReadonlyMap<string, MadeObject> = new Map(),
): Map<string, MadeObject> {
  const found = new Map<string, MadeObject>();
  const open = [...from];
  for (let object = open.pop(); object !== undefined; object = open.pop()) {
    if (found.has(object.id) || without.has(object.id)) continue;
    found.set(object.id, object);
    open.push(...object.links);
  }
  return found;
}

/** A text of lines of which each version changes or adds one. */
function textOf(file: number, version: number, grows: boolean): string {
  const line = (i: number): string => `line ${i} of file ${file}, ${Math.imul(i * 31 + file, 0x9e3779b1) >>> 0}\n`;
  const lines = Array.from({ length: 60 }, (_, i) => line(i));
  for (let v = 1; v <= version; v++) lines[grows ? 60 + v : (v * 7) % 60] = `changed by version ${v}\n`;
  return lines.join('');
}

/** Commits that each change one file in one of ten folders. Files have one size, or grow with each version. */
export function historyOf(count: number, grows = false): MadeObject[] {
  const versions = Array.from({ length: 40 }, () => 0);
  const commits: MadeObject[] = [];
  for (let i = 0; i < count; i++) {
    versions[i % 40] = (versions[i % 40] as number) + 1;
    const folders = Array.from({ length: 10 }, (_, folder) => ({
      name: `folder-${folder}`,
      object: tree(
        Array.from({ length: 4 }, (_, file) => {
          const number = folder * 4 + file;
          return { name: `file-${file}`, object: blob(textOf(number, versions[number] as number, grows)) };
        }),
      ),
    }));
    commits.push(commit(tree(folders), commits.slice(-1), i));
  }
  return commits;
}
