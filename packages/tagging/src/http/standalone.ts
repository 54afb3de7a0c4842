import { createRegistry } from '../registry/registry.ts';
import { createTagging } from '../service/create-tagging.ts';
import { defaultResourceTypes } from '../registry/default-resource-types.ts';
import { resolveTaggingSettings, type TaggingSettings } from '../model/tagging-settings.ts';
import type { Tagging } from '../model/tagging.ts';
import { failureRecord, freshRequestId, randomIds, systemClock } from '@packhouse/base';
import { checkOptions } from './check-options.ts';
import { tagDocument } from './openapi/document.ts';
import type { OpenApiPart } from '@packhouse/base';
import { tagFace } from './tag-face.ts';
import { tagRoute } from './tag-route.ts';
import type { TaggingDocumentOptions, TaggingOptions } from './tagging-options.ts';

/** Handler of the tagging API, for an app with other routes. */
export interface TaggingHandler extends Pick<Tagging, 'resourceRenamed' | 'resourceDeleted'> {
  /** Handles a request. Returns `undefined` for paths outside tagging. The promise never rejects. */
  (request: Request): Promise<Response> | undefined;
  /** OpenAPI 3.1 document. */
  readonly document: OpenApiPart;
}

/**
 * Makes a handler of the tagging API for any app that maps a `Request` to a `Response`. It handles `/tags` and the
 * paths below it, for accounts and zones.
 *
 * @throws {SettingsError} for an invalid option; the message names it.
 */
export function tagging(options: TaggingOptions): TaggingHandler {
  checkOptions(options);
  const { basePath = '/v4', requestIdHeader = 'x-ray-id', clock = systemClock, ids = randomIds } = options;
  const { resourceTypes = defaultResourceTypes, zones = { accountOf: async () => undefined } } = options;
  const settings = resolveTaggingSettings(options);
  const core = createTagging({
    stores: options.store,
    authorize: options.authorize,
    registry: createRegistry([], [{ name: 'resourceTypes', changes: { add: resourceTypes } }]),
    sharedDirectory: options.directory,
    zones,
    settings,
    createLimiter: options.createLimiter,
    clock,
  });
  const face = tagFace({
    tagging: core,
    docsBase: settings.docs_base,
    bodyMax: settings.rest_body_max,
    failed: (error, requestId) => options.log?.(failureRecord(error, requestId)),
  });

  const handler = (request: Request): Promise<Response> | undefined => {
    const { pathname } = new URL(request.url);
    const route = pathname.startsWith(basePath) ? tagRoute(pathname.slice(basePath.length)) : undefined;
    if (route === undefined) return undefined;
    const requestId = freshRequestId({ ids, settings });
    return face(request, route, requestId).then((response) => {
      response.headers.set(requestIdHeader, requestId);
      return response;
    });
  };

  return Object.assign(handler, {
    document: wholeDocument(core, basePath, settings, options.openapi),
    resourceRenamed: core.resourceRenamed,
    resourceDeleted: core.resourceDeleted,
  });
}

const bearer = { token: { type: 'http', scheme: 'bearer' } };

function wholeDocument(
  { types }: Tagging,
  basePath: string,
  settings: TaggingSettings,
  { servers, securitySchemes = bearer, security }: TaggingDocumentOptions = {},
): OpenApiPart {
  const { paths, schemas } = tagDocument({
    basePath,
    types,
    notFound: settings.tags_not_found,
    security: security ?? Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Tags', version: basePath.split('/').at(-1) || '1' },
    ...(servers !== undefined && { servers }),
    paths,
    components: { schemas, securitySchemes },
  };
}
