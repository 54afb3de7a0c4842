import { capacityError, type Hosting } from '@packhouse/hosting';
import type { Failed } from '@packhouse/base';
import {
  accountOf,
  tagDocument,
  tagFace,
  tagOperationId,
  tagRoute,
  type Tagging,
  type TagSettings,
} from '@packhouse/tagging';

/** The tagging API as an area of the whole service. */
export interface ServiceTags {
  /**
   * Returns the handler of a path and the account that the path names; undefined if the path is not of tagging. `path`
   * begins after the base path. Every path below `/zones/` is of tagging, since no other area has zones.
   */
  choose(
    request: Request,
    path: string,
    requestId: string,
  ):
    | { readonly answer: () => Promise<Response>; readonly account: string | undefined; readonly operation: string }
    | undefined;
  /** Adds the operations of tagging to the OpenAPI document of the other areas. */
  describe(document: object): object;
}

/** Tagging, with the setting that its OpenAPI document needs to describe a resource without tags. */
export interface ServedTags {
  readonly tagging: Tagging;
  readonly settings: Pick<TagSettings, 'tags_not_found'>;
}

export function serviceTags(
  hosting: Hosting,
  { tagging, settings: { tags_not_found } }: ServedTags,
  failed: Failed,
): ServiceTags {
  const { dialect, settings } = hosting;
  const { docs_base, rest_body_max: bodyMax } = settings;
  const docsBase = dialect.linksTagErrors ? docs_base : undefined;
  const face = tagFace({ tagging, docsBase, bodyMax, capacityError, memory: hosting, failed });
  return {
    choose(request, path, requestId) {
      const route = tagRoute(path) ?? (path.startsWith('/zones/') ? 'none' : undefined);
      if (route === undefined) return undefined;
      const operation = tagOperationId(route, request.method);
      return { answer: () => face(request, route, requestId), account: accountOf(route), operation };
    },

    describe(document) {
      const { info, paths, components, ...rest } = document as {
        readonly info: object;
        readonly paths: object;
        readonly components?: { readonly schemas?: object };
      };
      const tags = tagDocument({
        basePath: dialect.basePath,
        types: tagging.types,
        notFound: tags_not_found,
      });
      return {
        ...rest,
        info: { ...info, title: 'Repositories and tags' },
        paths: { ...paths, ...tags.paths },
        components: { ...components, schemas: { ...components?.schemas, ...tags.schemas } },
      };
    },
  };
}
