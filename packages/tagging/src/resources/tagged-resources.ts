import { readResourceQuery } from '../input/resource-query.ts';
import { identifyResource, readResourceMembers } from '../input/resource-body.ts';
import type { Tagging } from '../model/tagging.ts';
import { TaggingError } from '../model/tagging-error.ts';
import { resourceNotFound } from './not-found.ts';
import type { ResourceContext } from './resource-context.ts';
import { createSetTags } from './set-tags.ts';
import { taggedResource } from './tagged-resource.ts';

/** Makes the routes of one resource (sections 5 to 7 of `tagging.md`). */
export function createTaggedResources(context: ResourceContext): Pick<Tagging, 'get' | 'set' | 'delete'> {
  const { stores, registry, directories, settings } = context;
  return {
    async get(scope, query) {
      const resource = readResourceQuery(registry, scope, query);
      const [answer, record] = await Promise.all([
        directories.ask(scope.account, resource),
        stores(scope.account).record(resource),
      ]);
      const found = answer === 'unknown' ? undefined : record;
      if (found === undefined) {
        const mode = settings.tags_not_found;
        if (mode !== 'empty') throw resourceNotFound(resource, mode === '500' ? 500 : 404);
        if (answer === 'unknown' && scope.zone !== null) throw resourceNotFound(resource, 404);
      }
      // A list shows this name, too, if the type had a directory before.
      const name = typeof answer === 'object' ? answer.name : (found?.name ?? resource.id);
      return taggedResource(registry, resource, name, found);
    },

    set: createSetTags(context),

    async delete(scope, body, ifMatch) {
      const members = readResourceMembers(body, 'deletePayload');
      const resource = identifyResource(registry, scope, members, 'deletePayload');
      const outcome = await stores(scope.account).remove(resource, ifMatch);
      if (outcome === 'no match') throw new TaggingError('noMatch');
    },
  };
}
