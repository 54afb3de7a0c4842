import { RemoteError, type RemoteErrorCode } from '@packhouse/git';

/** REPO-129. */
const redirectsMax = 5;

/** Errors that a host may return for an unknown path. Some hosts hide which paths exist by a redirect or a 401. */
const unknown: readonly RemoteErrorCode[] = ['not found', 'not a remote', 'redirected', 'authentication'];

/**
 * Calls `attempt` with the URL that ends in `.git`, then, if the host does not know that, with the given URL. Follows
 * at most 5 redirects of each (REPO-126, REPO-129).
 *
 * @throws {RemoteError} that of the last attempt.
 */
export async function followed<Result>(given: URL, attempt: (url: URL) => Promise<Result>): Promise<Result> {
  if (given.pathname.endsWith('.git')) return redirected(given, attempt);
  const suffixed = new URL(given);
  suffixed.pathname += '.git';
  try {
    return await redirected(suffixed, attempt);
  } catch (error) {
    if (!(error instanceof RemoteError && unknown.includes(error.code))) throw error;
    return redirected(given, attempt);
  }
}

async function redirected<Result>(start: URL, attempt: (url: URL) => Promise<Result>): Promise<Result> {
  let url = start;
  for (let redirects = 0; ; redirects++) {
    try {
      return await attempt(url);
    } catch (error) {
      const location = error instanceof RemoteError && error.code === 'redirected' ? error.location : undefined;
      const isFollowed = location?.protocol === 'https:' && location.username === '' && location.password === '';
      if (!isFollowed || redirects === redirectsMax) throw error;
      url = location;
    }
  }
}
