/** Tag requests in random order, against a model that is a map. */

import fc from 'fast-check';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, TagIdentity } from '../../core/context.ts';
import { assertSuccess, shown } from '../../steps/replies.ts';
import { holds } from '../../steps/holds.ts';
import { same } from '../../tools/same.ts';
import { etagOf } from './support/etag-model.ts';
import { isMatch, readFilter, type Filter, type Tags } from './support/filter-model.ts';
import { deleteTags, newWorker, putTags, readTags } from './support/one-resource.ts';
import { listedIds, repeated } from './support/tag-lists.ts';

/** One, since the cases of tags share one window of the default rate. */
const sequences = 1;
const stepsMax = 16;

interface World {
  /** A key that no other case uses, so that lists can be compared whole. */
  readonly own: string;
  readonly resources: readonly TagIdentity[];
  /** Tags by index of the resource. */
  readonly tags: Map<number, Tags>;
}

type Step = fc.AsyncCommand<World, Context>;

function step(text: string, run: (world: World, t: Context) => Promise<void>): Step {
  return { check: () => true, run, toString: () => text };
}

const which = fc.nat(2);
const pairs = fc.dictionary(fc.constantFrom('env', 'team', 'Env'), fc.constantFrom('', 'a', 'b', 'a,b'), {
  maxKeys: 3,
});
/** `none`: no If-Match; `right`: the etag of the tags; `wrong`: another one. */
const condition = fc.constantFrom('none', 'none', 'right', 'wrong');

function headersFor(how: string, current: Tags): Readonly<Record<string, string>> {
  if (how === 'none') return {};
  const tags = how === 'right' ? current : { ...current, other: 'value' };
  return { 'if-match': `"${etagOf(Object.entries(tags))}"` };
}

const put = fc.record({ number: which, tags: pairs, how: condition }).map(({ number, tags, how }) =>
  step(`set tags of ${number} to ${JSON.stringify(tags)}, If-Match: ${how}`, async (world, t) => {
    const current = world.tags.get(number);
    // Whether untagged resources have an etag is up to the service.
    if (current === undefined && how !== 'none') return;
    const all = { ...tags, [world.own]: 'yes' };
    const headers = headersFor(how, current ?? {});
    const reply = await putTags(t, world.resources[number] as TagIdentity, all, { headers });
    if (how === 'wrong') return same(reply.status, 412, 'A condition that does not hold.');
    const { tags: stored, etag } = assertSuccess(reply, 200, 'PUT of tags');
    same([stored, etag], [all, etagOf(Object.entries(all))], 'The tags, and their etag.');
    world.tags.set(number, all);
  }),
);

const remove = fc.record({ number: which, how: condition }).map(({ number, how }) =>
  step(`remove tags of ${number}, If-Match: ${how}`, async (world, t) => {
    const current = world.tags.get(number);
    if (current === undefined) return;
    const headers = headersFor(how, current);
    const reply = await deleteTags(t, world.resources[number] as TagIdentity, { headers });
    same(reply.status, how === 'wrong' ? 412 : 204, `DELETE of tags: ${shown(reply)}`);
    if (how !== 'wrong') world.tags.delete(number);
  }),
);

const get = which.map((number) => step(`get tags of ${number}`, async (world, t) => await checkOne(t, world, number)));

async function checkOne(t: Context, world: World, number: number): Promise<void> {
  const reply = await readTags(t, world.resources[number] as TagIdentity);
  const expected = world.tags.get(number);
  if (expected === undefined) same(reply.json?.result?.tags ?? {}, {}, 'An untagged resource has no tags.');
  else same(assertSuccess(reply, 200, 'GET of tags').tags, expected, 'The tags that were set last.');
}

const filters = fc.array(fc.constantFrom('env', '!env', 'team', 'env=a', 'env!=a', 'team=a,b', 'env=a%2Cb', 'Env='), {
  minLength: 1,
  maxLength: 2,
});
const list = filters.map((chosen) =>
  step(`list resources with ${chosen.join(' and ')}`, async (world, t) => {
    const models = chosen.map((text) => readFilter(text) as Filter);
    const query = `${repeated('tag', [world.own])}&${chosen.map((text) => `tag=${text}`).join('&')}`;
    const expected = [...world.tags]
      .filter(([, tags]) => models.every((model) => isMatch(model, tags, false)))
      .map(([number]) => world.resources[number]?.resource_id);
    same([...(await listedIds(t, query))].sort(), expected.sort(), 'The resources whose tags match.');
  }),
);

export const statefulTags: Suite = suite({
  id: 'tags/stateful/in-turn',
  requirements: ['TAG-036', 'TAG-045', 'TAG-046', 'TAG-062', 'TAG-067', 'TAG-086'],
  level: 'MUST',
  explanation: 'Whatever order tags are set, removed, read and listed in, all answers are those of a model.',
  async run(t) {
    const steps = fc.commands([put, put, remove, get, list, list], { maxCommands: stepsMax, size: 'max' });
    const property = fc.asyncProperty(steps, async (chosen) => {
      const resources = [0, 1, 2].map(() => newWorker(t));
      const world: World = { own: t.name('key'), resources, tags: new Map() };
      await fc.asyncModelRun(() => ({ model: world, real: t }), chosen);
      for (const number of resources.keys()) await checkOne(t, world, number);
    });
    await holds(t, sequences, property);
  },
});
