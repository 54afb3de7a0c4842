import { expect, it } from 'vitest';
import { MaintainedRepository } from '../maintain/maintained-repository.test.util.ts';
import { blob, closure, commit, tree, type MadeObject } from '../maintain/made-history.test.util.ts';
import type { ObjectId } from '../object/object-id.ts';
import { PackError } from '../pack/pack-error.ts';
import { RepositoryView } from '../repository/repository-view.ts';
import { objectsOf } from './object-source.ts';

const viewOf = async (value: MadeObject): Promise<RepositoryView> => {
  const repository = new MaintainedRepository();
  await repository.push([{ ref: 'refs/heads/main', new: value }], [...closure([value]).values()]);
  const work = repository.engine.scheduler.begin();
  return RepositoryView.open(repository.engine, repository.repository, repository.state.current, work);
};

it('reads an object from the first view that has it', async () => {
  const [here, there] = [blob('here'), blob('over there')];
  const [first, second] = [here, there].map((object) => commit(tree([{ name: 'file', object }]), [], 1));
  const objects = await objectsOf([await viewOf(first as MadeObject), await viewOf(second as MadeObject)]);
  for (const { id, body } of [here, there]) {
    expect((await objects.read(id as ObjectId)).body).toEqual(body);
    expect(objects.sizeOf(id as ObjectId)).toBe(body.length);
  }
  expect(() => objects.sizeOf(blob('nowhere').id as ObjectId)).toThrow(PackError);
});
