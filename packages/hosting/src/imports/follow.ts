import { RemoteError, type RemoteErrorCode } from '@packhouse/git';

/** REPO-129. */
const redirectsMax = 5;

/** What hosts say of a path that they do not know; some tell nobody which those are. */
const unknown: readonly RemoteErrorCode[] = ['not found', 'not a remote', 'redirected', 'authentication'];

/**
 * Tries a remote where it says it is: at its URL that ends in `.git`, then at the URL as given, each time along at most 5
 * redirects (REPO-126, REPO-129).
 *
 * @throws {RemoteError}
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
