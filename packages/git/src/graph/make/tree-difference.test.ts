import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../../codec/node.ts';
import { blobKind, treeKind } from '../../object/kind.ts';
import { kindOfMode, TreeError } from '../../object/tree.ts';
import { entriesAStop } from '../../work/loops.ts';
import { TreeDifference } from './tree-difference.ts';

interface Entry {
  readonly name: string;
  readonly mode: number;
  readonly id: number;
}

const codec = nodeCodec();
const treeMode = 0o040000;
const gitlinkMode = 0o160000;
const nothing = new Uint8Array(0);

function treeBody(entries: readonly Entry[]): Uint8Array {
  const key = ({ name, mode }: Entry): string => (mode === treeMode ? `${name}/` : name);
  const sorted = [...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return Buffer.concat(
    sorted.flatMap(({ name, mode, id }) => [Buffer.from(`${mode.toString(8)} ${name}\0`), Buffer.alloc(20, id)]),
  );
}

/** Trees that share most of their entries, as successive trees do; some large enough for several blocks. */
const twoTrees = fc
  .record({
    names: fc.uniqueArray(
      fc.stringMatching(/^[a-d.][a-d0-9./-]{0,6}$/).map((name) => name.replaceAll('/', '_')),
      { maxLength: 300 },
    ),
    changes: fc.array(fc.record({ at: fc.nat(400), what: fc.constantFrom('id', 'mode', 'drop', 'add', 'parent') }), {
      maxLength: 12,
    }),
    modes: fc.infiniteStream(fc.constantFrom(0o100644, 0o100755, 0o120000, treeMode, gitlinkMode)),
  })
  .map(({ names, changes, modes }) => {
    const tree = new Map<string, Entry>();
    for (const name of names) tree.set(name, { name, mode: modes.next().value, id: name.length * 7 });
    const parent = new Map(tree);
    for (const { at, what } of changes) {
      const name = names[at % Math.max(names.length, 1)] ?? 'new';
      const entry = tree.get(name) ?? { name, mode: treeMode, id: 9 };
      if (what === 'id') tree.set(name, { ...entry, id: (entry.id + 1) % 256 });
      else if (what === 'mode') tree.set(name, { ...entry, mode: modes.next().value });
      else if (what === 'drop') tree.delete(name);
      else if (what === 'add') tree.set(`${name}+`, { name: `${name}+`, mode: modes.next().value, id: 3 });
      else parent.delete(name);
    }
    return { tree: [...tree.values()], parent: [...parent.values()] };
  });

/** All entries that differ, in tables, and how often it paused. */
function differencesOf(
  tree: Uint8Array,
  parent: Uint8Array,
): { starts: number[]; idOffsets: number[]; modes: number[]; parentIds: number[]; count: number; pauses: number } {
  const found = { starts: [], idOffsets: [], modes: [], parentIds: [], count: 0, pauses: 0 } as ReturnType<
    typeof differencesOf
  >;
  const difference = new TreeDifference(codec);
  difference.reset(tree, parent);
  for (let step = difference.next(); step !== 'end'; step = difference.next()) {
    if (step === 'pause') {
      found.pauses++;
      expect(difference.takePassed()).toBeLessThan(3 * entriesAStop);
      continue;
    }
    found.count++;
    found.starts.push(difference.start);
    found.idOffsets.push(difference.idAt);
    found.modes.push(difference.mode);
    found.parentIds.push(difference.parentIdAt);
  }
  return found;
}

function namesAt(body: Uint8Array, starts: readonly number[], ids: readonly number[], count: number): string[] {
  const text = Buffer.from(body);
  return Array.from({ length: count }, (_, i) => {
    const [, name] = /^[0-7]+ (.*)$/s.exec(text.subarray(starts[i], (ids[i] as number) - 1).toString()) ?? [];
    return name as string;
  });
}

describe('tree difference', () => {
  it.each([
    ['40755', treeKind],
    ['040000', treeKind],
    ['100600', blobKind],
    ['120777', blobKind],
    ['160644', 0],
    ['20000', 0],
    ['140000', 0],
    ['0', 0],
  ])('reads an entry of mode %s as Git does', (mode, expected) => {
    const found = differencesOf(Buffer.concat([Buffer.from(`${mode} name\0`), Buffer.alloc(20, 1)]), nothing);
    expect(found.modes.map(kindOfMode)).toEqual([expected]);
  });

  test.prop([twoTrees])(
    'is what the parent does not hold under the same name, with the parent’s subtree beside it',
    ({ tree, parent }) => {
      const body = treeBody(tree);
      const parentBody = treeBody(parent);
      const found = differencesOf(body, parentBody);
      const held = new Map(parent.map((entry) => [entry.name, entry]));
      const differs = tree.filter(({ name, mode, id }) => {
        const other = held.get(name);
        return other === undefined || other.id !== id || kindOfMode(other.mode) !== kindOfMode(mode);
      });
      const names = namesAt(body, found.starts, found.idOffsets, found.count);
      expect([...names].sort()).toEqual(differs.map(({ name }) => name).sort());
      names.forEach((name, i) => {
        const at = found.parentIds[i] as number;
        // A tree and a file of one name sort apart, so a subtree is surely found only where both are trees.
        const own = tree.find((entry) => entry.name === name) as Entry;
        const other = held.get(name);
        if (own.mode === treeMode && other?.mode === treeMode) expect(parentBody[at]).toBe(other.id);
        if (at >= 0) expect(other?.mode).toBe(treeMode);
      });
    },
  );

  test.prop([fc.uint8Array({ maxLength: 120 }), fc.uint8Array({ maxLength: 120 })])(
    'arbitrary bytes are compared or refused',
    (a, b) => {
      try {
        differencesOf(a, b);
      } catch (error) {
        expect(error).toBeInstanceOf(TreeError);
      }
    },
  );

  it('reads the mode of old trees as a number', () => {
    const old = Buffer.concat([Buffer.from('040000 dir\0'), Buffer.alloc(20, 1)]);
    expect(differencesOf(old, nothing).modes[0]).toBe(treeMode);
    expect(differencesOf(old, treeBody([{ name: 'dir', mode: treeMode, id: 1 }])).count).toBe(0);
  });

  it('does not take a submodule link for an object of the same id', () => {
    const found = differencesOf(
      treeBody([{ name: 'a', mode: 0o100644, id: 1 }]),
      treeBody([{ name: 'a', mode: gitlinkMode, id: 1 }]),
    );
    expect(found.count).toBe(1);
  });

  it.each([
    ['the same', 1, 1],
    ['different', 1, 2],
  ])('pauses again and again in large trees that are %s', (_, own, other) => {
    const entries = Array.from({ length: 60_000 }, (__, i) => `n${i}`.padEnd(30, 'x'));
    const bodyOf = (id: number): Uint8Array => treeBody(entries.map((name) => ({ name, mode: 0o100644, id })));
    const found = differencesOf(bodyOf(own), bodyOf(other));
    expect(found.count).toBe(own === other ? 0 : entries.length);
    expect(found.pauses).toBeGreaterThan(2);
  });
});
