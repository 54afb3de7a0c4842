import { mountPathOf, type Hosting } from '@packhouse/hosting';
import { createPlatformErrors, errorRoute, type ReportSettings } from '@packhouse/problem-details';
import { withErrorRoute } from './error-route-document.ts';
import type { Failed } from '@packhouse/base';

/** The path of the error route, which shows error responses as samples (ERR-092). */
const shown = '/cdn-cgi/error/';

/** Platform errors of one origin (REPO-029). Each reply has its own ray id. */
export interface ErrorArea {
  /**
   * Answers at `path` below the mount path; undefined if the path is not the error route or the route is switched off.
   */
  readonly route: (request: Request, path: string) => Promise<Response> | undefined;
  /** Makes the minimal reply for an unknown address (ERR-100). */
  readonly notFound: (request: Request) => Response;
  /** Makes the minimal reply to a method other than GET and HEAD. */
  readonly readOnly: (request: Request) => Response;
  /** Returns the ray id, with its site, from the header of a reply. */
  readonly rayIdOf: (response: Response) => string | undefined;
  /** Adds the error route to the OpenAPI document, unless the route is switched off (REPO-215). */
  readonly describe: (document: object) => object;
  readonly settings: ReportSettings;
}

/** Creates the error area from the settings and the dialect of the service. */
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
      // The error route expects paths without a mount path. It never reads a body, so the copy has none.
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

/** Paths where 500 can also mean that a resource has no tags (TAG-055). */
const tagsOfOne = /\/(?:accounts|zones)\/[^/]+\/tags$/;

/** Paths where 502 means that the remote of an import failed (REPO-128). */
const importing = /\/repos\/[^/]+\/import$/;

/**
 * Returns true if a 5xx reply means that the service failed. Three kinds of 5xx are intended: samples of the error
 * route (ERR-099), 500 for a resource without tags, and 502 for a remote that could not be imported. A real failure on
 * these paths still has its own log record. `path` may be the path as the client wrote it.
 *
 * @param publicUrl The setting `public_url`. Default: one without a path.
 */
export function isIncident(
  { method, path, status }: { readonly method: string; readonly path: string; readonly status: number },
  publicUrl?: string,
): boolean {
  if (status < 500) return false;
  const seen = normal(path);
  const reads = method === 'GET' || method === 'HEAD';
  const isTold = (status === 500 && reads && tagsOfOne.test(seen)) || (status === 502 && importing.test(seen));
  const mountPath = publicUrl === undefined ? '' : mountPathOf(publicUrl);
  return !seen.startsWith(mountPath + shown) && !isTold;
}

/** Resolves `.` and `..`, so that the path is the one that the service has handled. */
function normal(path: string): string {
  const url = `http://host.invalid${path}`;
  return URL.canParse(url) ? new URL(url).pathname : path;
}
