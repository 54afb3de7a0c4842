import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc } from '@fast-check/vitest';
import { runs } from '@packhouse/fixtures';
import { afterAll, expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { createGitEngine } from '../engine/engine.ts';
import { blobKind, type KindNumber } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import { NewObjects } from './new-objects.ts';
import { pathNames, TreeEditor } from './tree-editor.ts';

const folder = mkdtempSync(join(tmpdir(), 'tree-editor-'));
const git = (args: readonly string[], input = ''): string =>
  execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8' }).trim();
git(['init', '-q', '--bare']);
afterAll(() => rmSync(folder, { recursive: true }));

const name = fc.constantFrom('a', 'b', 'a.x', 'a-b', 'é', 'Z');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant('put' as const), path, mode: fc.constantFrom(0o100644, 0o100755) }),
  },
  fc.record({ op: fc.constant('delete' as const), path }),
  fc.record({ op: fc.constant('move' as const), from: path, path }),
);

/** Files by path, changed in the simplest way. Returns false for a change that cannot be made. */
function modelled(files: Map<string, number>, change: Step): boolean {
  const below = (at: string): string[] => [...files.keys()].filter((one) => one === at || one.startsWith(`${at}/`));
  const isBelowFile = (at: string): boolean =>
    at.split('/').some((_, i, names) => i > 0 && files.has(names.slice(0, i).join('/')));
  if (change.op === 'put') {
    if (isBelowFile(change.path) || (!files.has(change.path) && below(change.path).length > 0)) return false;
    files.set(change.path, change.mode);
    return true;
  }
  const from = change.op === 'move' ? change.from : change.path;
  const moved = below(from).map((one) => [one, files.get(one) as number] as const);
  if (moved.length === 0) return false;
  if (change.op === 'move') {
    if (below(change.path).length > 0) return false;
    for (const [one] of moved) files.delete(one);
    if (isBelowFile(change.path)) return false;
    for (const [one, mode] of moved) files.set(change.path + one.slice(from.length), mode);
    return true;
  }
  for (const [one] of moved) files.delete(one);
  return true;
}

type Step =
  | { readonly op: 'put'; readonly path: string; readonly mode: number }
  | { readonly op: 'delete'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string };

it('REPO-252, REPO-254: writes the trees that stock git writes for the same files', async () => {
  const codec = nodeCodec();
  const work = createGitEngine({ codec }).scheduler.begin();
  const bodies = new Map<ObjectId, Uint8Array>();
  /** Remembers the bodies of trees, as a repository would store them. */
  class Stored extends NewObjects {
    override async add(kind: KindNumber, body: Uint8Array): Promise<ObjectId> {
      const oid = await super.add(kind, body);
      bodies.set(oid, body);
      return oid;
    }
  }
  const objects = new Stored(codec, work);
  const blob = await objects.add(blobKind, new Uint8Array(0));
  git(['hash-object', '-w', '--stdin']);
  const read = async (tree: ObjectId): Promise<Uint8Array> => bodies.get(tree) as Uint8Array;
  const names = (text: string): readonly string[] => pathNames(text) as readonly string[];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 8 }), { minLength: 1, maxLength: 3 }), async (commits) => {
      const files = new Map<string, number>();
      let root: ObjectId | undefined;
      for (const steps of commits) {
        const editor = new TreeEditor(root, read, work, () => {});
        for (const one of steps) {
          const before = new Map(files);
          const isPossible = modelled(files, one);
          // The editor of a change that cannot be made is used no more.
          if (!isPossible) {
            files.clear();
            for (const entry of before) files.set(...entry);
            const trial = new TreeEditor(await editor.write(objects), read, work, () => {});
            expect(await applied(trial, one)).toBeDefined();
          } else expect(await applied(editor, one)).toBeUndefined();
        }
        root = await editor.write(objects);
        git(['read-tree', '--empty']);
        const lines = Array.from(files, ([at, mode]) => `${mode.toString(8)} ${blob}\t${at}\0`);
        git(['update-index', '-z', '--index-info'], lines.join(''));
        expect(root).toBe(git(['write-tree']));
      }
    }),
    { numRuns: runs(12) },
  );

  async function applied(editor: TreeEditor, change: Step): Promise<string | undefined> {
    if (change.op === 'put') return editor.put(names(change.path), { mode: change.mode, oid: blob });
    if (change.op === 'delete') return editor.remove(names(change.path));
    return editor.move(names(change.from), names(change.path));
  }
});

it('accounts for new folders, and refuses paths of more names than Git reads', async () => {
  let held = 0;
  const { scheduler } = createGitEngine({ codec: nodeCodec() });
  const read = (): Promise<Uint8Array> => Promise.reject(new Error('nothing is stored'));
  const editor = new TreeEditor(undefined, read, scheduler.begin(), (bytes) => void (held += bytes));
  const path = pathNames('a/'.repeat(4095) + 'b') as readonly string[];
  await editor.put(path, { mode: 0o100644, oid: '1'.repeat(40) as ObjectId });
  expect(held).toBeGreaterThan(4095 * 500);
  expect(pathNames('a/'.repeat(4096) + 'b')).toBeUndefined();
});
