import { capacityError, type Hosting } from '@packhouse/hosting';
import type { Failed } from '@packhouse/base';
import { accountOf, tagDocument, tagFace, tagRoute, type Tagging, type TagSettings } from '@packhouse/tagging';

/** The tagging API as an area of the whole service. */
export interface ServiceTags {
  /**
   * Who answers a path, given from behind the base path on, and the account that it names; `undefined` if that is not
   * tagging. All below `/zones/` is, since nothing else has zones.
   */
  choose(
    request: Request,
    path: string,
    requestId: string,
  ): { readonly answer: () => Promise<Response>; readonly account: string | undefined } | undefined;
  /** The OpenAPI document of the other areas with the operations of this one. */
  describe(document: object): object;
}

/** Tagging as a face needs it: what it does, and what its document says of a resource without tags. */
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
      return { answer: () => face(request, route, requestId), account: accountOf(route) };
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
