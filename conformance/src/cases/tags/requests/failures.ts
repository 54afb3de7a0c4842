import { sample } from '../../../tools/dice.ts';
import type { Tags } from '../support/filter-model.ts';
import { suite, type Suite } from '../../../core/case.ts';
import { newWorker, putTags } from '../support/one-resource.ts';
import { assertRefusal, refusals, type Refusal } from '../support/refusals.ts';

/** Failures of filters and of keys in paths, each with its code and exact message. */
const ofQueries: readonly (readonly [path: string, refusal: Refusal])[] = [
  ['/tags/resources?tag==x', refusals.filterForm],
  [`/tags/resources?${'tag=a&'.repeat(21)}`, refusals.tooManyFilters],
  [`/tags/resources?tag=${'k'.repeat(257)}`, refusals.keyTooLong],
  [`/tags/values/${'k'.repeat(257)}`, refusals.keyTooLong],
  [`/tags/resources?tag=a=${'v'.repeat(1025)}`, refusals.valueTooLong],
  ['/tags/resources?tag=a=1,2,3,4,5,6,7,8,9,10,11', refusals.tooManyValues],
  ['/tags/resources?tag=a:b', refusals.invalidKey],
  ['/tags/values/a:b', refusals.invalidKey],
];

export const tagFailures: Suite = suite(
  {
    id: 'tags/failures/queries',
    requirements: ['TAG-157', 'TAG-159', 'TAG-160', 'TAG-161', 'TAG-162', 'TAG-163'],
    level: 'MUST',
    readOnly: true,
    explanation: 'What is wrong with a filter, or a key in a path, has its own code and exact message.',
    run: async (t) => {
      for (const [path, refusal] of sample(t, ofQueries, 4)) {
        assertRefusal(await t.tags('GET', path), refusal, `GET ${path.slice(0, 100)}`);
      }
    },
  },
  {
    id: 'tags/failures/bodies',
    requirements: ['TAG-160', 'TAG-161', 'TAG-163'],
    level: 'MUST',
    explanation: 'What is wrong with a tag in a body has its own code and exact message.',
    run: async (t) => {
      const wrong: readonly (readonly [tags: Tags, refusal: Refusal])[] = [
        [{ ['k'.repeat(257)]: '' }, refusals.keyTooLong],
        [{ ['𐐀'.repeat(257)]: '' }, refusals.keyTooLong],
        [{ a: 'v'.repeat(1025) }, refusals.valueTooLong],
        [{ 'a:b': '' }, refusals.invalidKey],
        [{ '': '' }, refusals.invalidKey],
      ];
      for (const [tags, refusal] of sample(t, wrong, 2)) {
        const what = `PUT of ${JSON.stringify(tags).slice(0, 100)}`;
        assertRefusal(await putTags(t, newWorker(t), tags), refusal, what);
      }
    },
  },
  {
    id: 'tags/failures/body-too-large',
    requirements: ['TAG-170', 'REPO-041'],
    level: 'MUST',
    beyond: true,
    explanation: 'A body above the limit is 413, whatever it holds.',
    run: async (t) => {
      for (const method of sample(t, ['PUT', 'DELETE'], 1)) {
        const body = JSON.stringify({ ...newWorker(t), tags: {}, more: 'x'.repeat(1_048_576) });
        assertRefusal(await t.tags(method, '/tags', { body }), refusals.bodyTooLarge, `${method} of a large body`);
      }
    },
  },
);
