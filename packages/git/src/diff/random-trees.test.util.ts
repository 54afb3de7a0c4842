import { fc } from '@fast-check/vitest';
import { blobKind, treeKind, type GitObject, type KindNumber } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import { executableMode, fileMode, gitlinkMode, linkMode, treeMode } from '../object/tree.ts';
import { idOf, madePack } from '../pack/made-pack.test.util.ts';
import type { StockGit } from '../pack/stock-git.test.util.ts';
import { Scheduler, type Work } from '../work/scheduler.ts';
import type { ObjectSource } from './object-source.ts';

/** A file of a tree under its path; for a submodule `text` is the id of its commit. */
export interface MadeFile {
  readonly mode: number;
  readonly text: string;
}

export type MadeFiles = ReadonlyMap<string, MadeFile>;

/** Trees and blobs in memory, which stock git gets, too. Texts have one character a byte. */
export class MadeObjects implements ObjectSource {
  readonly work: Work = new Scheduler().begin();
  readonly objects: Map<string, GitObject> = new Map();
  /** Ids in the order of their reads. */
  readonly reads: ObjectId[] = [];

  read(oid: ObjectId): GitObject {
    this.reads.push(oid);
    return this.#get(oid);
  }

  sizeOf(oid: ObjectId): number {
    return this.#get(oid).body.length;
  }

  /** Makes the tree of these files with all below it. */
  tree(files: MadeFiles): ObjectId {
    const entries = new Map<string, readonly [mode: number, id: string]>();
    const folders = new Map<string, Map<string, MadeFile>>();
    for (const [path, file] of files) {
      const slash = path.indexOf('/');
      if (slash < 0) {
        const id = file.mode === gitlinkMode ? file.text : this.add(blobKind, Buffer.from(file.text, 'latin1'));
        entries.set(path, [file.mode, id]);
        continue;
      }
      const folder = path.slice(0, slash);
      const below = folders.get(folder) ?? new Map<string, MadeFile>();
      folders.set(folder, below.set(path.slice(slash + 1), file));
    }
    for (const [name, below] of folders) entries.set(`${name}/`, [treeMode, this.tree(below)]);
    const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
    const parts = sorted.flatMap(([name, [mode, id]]) => [
      Buffer.from(`${mode.toString(8)} ${name.replace(/\/$/, '')}\0`, 'latin1'),
      Buffer.from(id, 'hex'),
    ]);
    return this.add(treeKind, Buffer.concat(parts));
  }

  /** Stores all objects in a repository of stock git. */
  store(git: StockGit): void {
    git.run(['unpack-objects', '-q'], madePack([...this.objects.values()]).bytes);
  }

  add(kind: KindNumber, body: Uint8Array): ObjectId {
    const object = { kind, body };
    const id = idOf(object);
    this.objects.set(id, object);
    return id as ObjectId;
  }

  #get(oid: ObjectId): GitObject {
    const found = this.objects.get(oid);
    if (found === undefined) throw new Error(`${oid} was not made`);
    return found;
  }
}

const indents = ['', '', '  ', '    ', '\t'];
const words = ['}', '', 'return;', 'if (a) {', 'int main(void)', 'else', 'x = 1;', '/* end */', 'caf\xe9', 'foo(bar);'];
const line = fc.oneof(
  {
    arbitrary: fc.tuple(fc.constantFrom(...indents), fc.constantFrom(...words)).map((parts) => parts.join('')),
    weight: 4,
  },
  { arbitrary: fc.nat(400).map((n) => `line number ${n} of ${n * 7}`), weight: 5 },
);
const manyLines = fc.array(line, { maxLength: 60 });
const text = fc
  .tuple(manyLines, fc.constantFrom('\n', '\n', '\n', '\n', '\r\n', ''), fc.nat(20))
  .map(([lines, end, rare]) => {
    const all = lines.map((one) => one + (end === '\r\n' ? end : '\n')).join('');
    if (rare === 0) return `\0${all}`;
    return end === '' ? all.slice(0, -1) : all;
  });
const mode = fc.constantFrom(fileMode, fileMode, fileMode, fileMode, executableMode, linkMode, gitlinkMode);
const commitId = fc.constantFrom('1'.repeat(40), '2'.repeat(40));
const file: fc.Arbitrary<MadeFile> = fc
  .tuple(mode, text, commitId)
  .map(([one, content, commit]) => ({ mode: one, text: one === gitlinkMode ? commit : content }));
const name = fc.constantFrom('a', 'b', 'a.c', 'a-b', 'main.c', 'A', 'x y', 'q"t', 'caf\xc3\xa9', 'b.txt');
const path = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'lib', 'src dir'), { maxLength: 2 }), name)
  .map(([folders, last]) => [...folders, last].join('/'));

/** Sets a file, and drops what cannot be beside it: files below its path, and files in the place of its folders. */
function put(files: Map<string, MadeFile>, at: string, made: MadeFile): void {
  for (const other of files.keys()) {
    if (other.startsWith(`${at}/`) || at.startsWith(`${other}/`)) files.delete(other);
  }
  files.set(at, made);
}

export const someFiles: fc.Arbitrary<MadeFiles> = fc.array(fc.tuple(path, file), { maxLength: 12 }).map((pairs) => {
  const files = new Map<string, MadeFile>();
  for (const [at, made] of pairs) put(files, at, made);
  return files;
});

/** Changes some lines of a text: from a line on, drops some and adds others. */
const edit = fc.tuple(fc.nat(60), fc.nat(6), fc.array(line, { maxLength: 5 }));

function edited(content: string, [at, dropped, added]: readonly [number, number, readonly string[]]): string {
  const lines = content.split('\n');
  const from = lines.length === 0 ? 0 : at % lines.length;
  lines.splice(from, dropped, ...added);
  return lines.join('\n');
}

const step = fc.record({
  kind: fc.constantFrom('edit', 'edit', 'move', 'move', 'copy', 'add', 'drop', 'mode'),
  which: fc.nat(11),
  to: path,
  edits: fc.array(edit, { maxLength: 3 }),
  file,
});

/** Two trees of which the second came from the first by edits, renames and others. */
export const somePair: fc.Arbitrary<readonly [MadeFiles, MadeFiles]> = fc
  .tuple(someFiles, fc.array(step, { maxLength: 8 }))
  .map(([before, steps]) => {
    const files = new Map(before);
    for (const { kind, which, to, edits, file: made } of steps) {
      const [at, old] = [...files][which % Math.max(1, files.size)] ?? [undefined, undefined];
      if (kind === 'add') put(files, to, made);
      if (at === undefined || old === undefined) continue;
      if (kind === 'drop' || kind === 'move') files.delete(at);
      const content = old.mode === gitlinkMode ? old.text : edits.reduce(edited, old.text);
      if (kind === 'edit') files.set(at, { mode: old.mode, text: content });
      if (kind === 'move' || kind === 'copy') put(files, to, { mode: old.mode, text: content });
      if (kind === 'mode' && old.mode !== gitlinkMode)
        files.set(at, { mode: made.mode === gitlinkMode ? linkMode : made.mode, text: old.text });
    }
    return [before, files];
  });
