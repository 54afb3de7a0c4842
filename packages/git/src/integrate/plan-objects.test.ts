import { expect, it } from 'vitest';
import { nodeCodec } from '../codec/node.ts';
import { NewObjects } from '../commit/new-objects.ts';
import { ContentReader, type HeldView } from '../content/content-reader.ts';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { blob, closure, commit, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { FetchPlan } from '../upload-pack/plan/fetch-plan.ts';
import { planHistory, planTree } from './plan-objects.ts';

async function opened(tip: MadeObject): Promise<HeldView> {
  const repository = new MaintainedRepository();
  await repository.push([{ ref: 'refs/heads/main', new: tip }], [...closure([tip]).values()]);
  const { engine, state } = repository;
  const reader = await ContentReader.open(engine, repository.repository, state.current, { hiddenRefs: [] });
  const held = reader.handOver();
  await held.view.loadIndexes();
  return held;
}

const idsOf = ({ view }: HeldView, { objects }: FetchPlan): string[] =>
  Array.from(objects, (object) => view.objectId(object)).toSorted();
const file = (text: string, name: string): { name: string; object: MadeObject } => ({ name, object: blob(text) });
const folder = (name: string, ...files: Parameters<typeof tree>[0]): { name: string; object: MadeObject } => ({
  name,
  object: tree(files),
});

const kept = folder('kept', file('same', 'file'));
const first = commit(tree([file('1', 'a'), kept]), [], 0);
const second = commit(tree([file('2', 'a'), kept]), [first], 1);
const added = folder('added', file('new', 'file'), file('1', 'old'));
const third = commit(tree([file('2', 'a'), added, kept]), [second], 2);
const fourth = commit(tree([file('3', 'a'), added, kept]), [third], 3);
const ours = commit(tree([file('1', 'a'), file('ours', 'b'), kept]), [second], 4);

/** Returns the ids of what the first tip reaches, and the others do not. */
function beyond(tip: MadeObject, ...others: readonly MadeObject[]): string[] {
  const held = closure(others);
  return [...closure([tip]).keys()].filter((id) => !held.has(id)).toSorted();
}

it('brings the commits that the target lacks, with their objects, and nothing of common history', async () => {
  const [source, target] = [await opened(fourth), await opened(ours)];
  const head = source.view.set.findNodeById(fourth.id as ObjectId);
  expect(idsOf(source, await planHistory(source, head, target))).toEqual(beyond(fourth, second));
});

it('brings the files of a tree that the target lacks, without commits and made objects', async () => {
  const [source, target] = [await opened(fourth), await opened(ours)];
  const made = new NewObjects(nodeCodec(), source.view.work);
  const root = tree([file('made', 'a'), added, file('ours', 'b'), kept]);
  for (const { kind, body } of [root, blob('made')]) await made.add(kind, body);
  const plan = await planTree(source, root.id as ObjectId, target, made);
  expect(idsOf(source, plan)).toEqual([added.object.id, blob('new').id].toSorted());
});
