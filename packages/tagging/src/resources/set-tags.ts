import { etagOf } from '@packhouse/tag-filter';
import { identifyResource, readResourceMembers } from '../input/resource-body.ts';
import { checkTagMembers, readTagMembers } from '../input/tag-members.ts';
import type { Tagging } from '../model/tagging.ts';
import { TaggingError } from '../model/tagging-error.ts';
import { resourceNotFound } from './not-found.ts';
import type { ResourceContext } from './resource-context.ts';
import { taggedResource } from './tagged-resource.ts';

/** Sets the tags of a resource. Checks in the order of TAG-148 and TAG-149. */
export function createSetTags({ stores, registry, directories, settings, clock }: ResourceContext): Tagging['set'] {
  return async (scope, body, ifMatch) => {
    const members = readResourceMembers(body, 'setPayload');
    const tagMembers = readTagMembers(members.body);
    const resource = identifyResource(registry, scope, members, 'setPayload');
    const tags = checkTagMembers(tagMembers);
    const before = await directories.ask(scope.account, resource);
    if (before === 'unknown') throw resourceNotFound(resource, 404);

    const store = stores(scope.account);
    const name = before === 'unserved' ? resource.id : before.name;
    const outcome = await store.set({
      resource,
      name,
      tags,
      ifMatch,
      at: clock.now(),
      accountMax: settings.account_tags_max,
      resourceMax: settings.resource_tags_max,
    });
    if (outcome.kind === 'no match') throw new TaggingError('noMatch');
    if (outcome.kind === 'too many') {
      throw new TaggingError('tooManyTags', { values: { maximum: outcome.maximum }, pointer: '/tags' });
    }

    // Ask again: a deletion or rename since the first answer found either no record or the old one.
    const after = before === 'unserved' ? before : await directories.ask(scope.account, resource);
    if (after === 'unknown') {
      // The etag protects a record that another caller has written since and checks itself.
      await store.remove(resource, etagOf(tags));
      throw resourceNotFound(resource, 404);
    }
    const nameNow = after === 'unserved' ? name : after.name;
    if (nameNow !== name) await store.rename(resource, nameNow);
    return taggedResource(registry, resource, nameNow, outcome.record);
  };
}
