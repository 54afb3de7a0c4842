import { mountPathOf, type Hosting } from '@packhouse/hosting';
import { createPlatformErrors, errorRoute, type ReportSettings } from '@packhouse/problem-details';
import { withErrorRoute } from './error-route-document.ts';
import type { Failed } from '@packhouse/base';

/** Where the error route shows what goes wrong, on purpose (ERR-092). */
const shown = '/cdn-cgi/error/';

/** Area C of one origin (REPO-029). Its replies carry a ray id of their own. */
export interface ErrorArea {
  /** Answers at `path`, which is below the mount path; undefined where the error route is elsewhere or switched off. */
  readonly route: (request: Request, path: string) => Promise<Response> | undefined;
  /** The minimal reply where nothing is served (ERR-100). */
  readonly notFound: (request: Request) => Response;
  /** The minimal reply to another method than GET and HEAD. */
  readonly readOnly: (request: Request) => Response;
  /** The ray id in the header of a reply, with its site. */
  readonly rayIdOf: (response: Response) => string | undefined;
  /** The OpenAPI document with the error route, unless it is switched off (REPO-215). */
  readonly describe: (document: object) => object;
  readonly settings: ReportSettings;
}

/** Platform errors as the settings and the dialect of a deployment have them. */
export function errorArea({ clock, dialect, settings }: Hosting, failed: Failed): ErrorArea {
  const errors = createPlatformErrors({
    dialect: dialect.errors,
    docsBase: settings.docs_base,
    site: settings.site,
    trustRayHeader: settings.trust_ray_header,
    markdownGuidanceMember: settings.markdown_guidance_member,
    clock: () => clock.now(),
    log(record) {
      if (record.event !== 'fallback') return;
      const { stage: code, message, ray_id: rayId } = record;
      failed({ name: 'Fallback', code, message }, rayId === '' ? null : `${rayId}-${settings.site}`);
    },
  });
  const route = errorRoute(errors);
  return {
    route(request, path) {
      if (!settings.error_route) return undefined;
      if (mountPathOf(settings.public_url) === '') return route(request);
      // The route knows paths of an origin; its replies need nothing of a body.
      const { method, headers } = request;
      return route(new Request(new URL(path, request.url), { method, headers }));
    },
    notFound: (request) => errors.minimal(request, 404, 'Nothing is served at this address.'),
    readOnly: (request) => errors.minimal(request, 405, 'This address can only be read.', { Allow: 'GET, HEAD' }),
    rayIdOf: ({ headers }) => headers.get(dialect.errors.rayIdHeader) ?? undefined,
    describe: (document) => (settings.error_route ? withErrorRoute(document, errors) : document),
    settings: errors.settings,
  };
}

/** Where 500 is also what a client that reads is told of a resource that has no tags (TAG-055). */
const tagsOfOne = /\/(?:accounts|zones)\/[^/]+\/tags$/;

/** Where 502 is told of a remote that failed (REPO-128). */
const importing = /\/repos\/[^/]+\/import$/;

/**
 * Whether a reply is a failure of the service: a 5xx that is not meant so, as those of the error route are (ERR-099), 500
 * for what has no tags, and 502 for a remote that could not be imported. What fails there has a record of its own in
 * the log. `path` may be as the client wrote it.
 */
export function isIncident({
  method,
  path,
  status,
}: {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}): boolean {
  if (status < 500) return false;
  const seen = normal(path);
  const reads = method === 'GET' || method === 'HEAD';
  const isTold = (status === 500 && reads && tagsOfOne.test(seen)) || (status === 502 && importing.test(seen));
  return !seen.includes(shown) && !isTold;
}

/** The path that the service sees: without `.` and `..`. */
function normal(path: string): string {
  const url = `http://host.invalid${path}`;
  return URL.canParse(url) ? new URL(url).pathname : path;
}
