import type { GitService } from '@packhouse/git';

/** The purpose of a path below a remote. */
export type GitRoute =
  | { readonly kind: 'discovery'; readonly service: GitService }
  | { readonly kind: 'service'; readonly service: GitService }
  /** `allow` has the methods of the path, for 405. */
  | { readonly kind: 'refused'; readonly status: 403 | 404 | 405; readonly text: string; readonly allow?: string };

const notFound: GitRoute = { kind: 'refused', status: 404, text: 'Not found' };
const dumb: GitRoute = {
  kind: 'refused',
  status: 403,
  text: 'Dumb HTTP is not supported. Use a Git client with smart HTTP.',
};

/**
 * Finds the route of a request. `path` follows the remote. Checks path, method, dumb protocol and service (GIT-008).
 */
export function gitRoute(method: string, path: string, query: URLSearchParams): GitRoute {
  if (path === '/info/refs') {
    if (method !== 'GET') return methodNotAllowed('GET');
    const service = query.get('service');
    if (service === null) return dumb;
    return isService(service)
      ? { kind: 'discovery', service }
      : { kind: 'refused', status: 403, text: 'Unsupported service' };
  }
  const service = path.slice(1);
  if (path.startsWith('/') && isService(service)) {
    return method === 'POST' ? { kind: 'service', service } : methodNotAllowed('POST');
  }
  if (path === '/HEAD' || path.startsWith('/objects/') || path.startsWith('/refs/')) return dumb;
  return notFound;
}

function isService(name: string): name is GitService {
  return name === 'git-upload-pack' || name === 'git-receive-pack';
}

function methodNotAllowed(allow: string): GitRoute {
  return { kind: 'refused', status: 405, text: 'Method not allowed', allow };
}
