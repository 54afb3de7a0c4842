import { mountPathOf, type Hosting, type RemoteMatch } from '@packhouse/hosting';
import { negotiate } from '@packhouse/problem-details';
import { uncached } from '../git/replies.ts';
import { under, type Page } from './page.ts';
import { pageResponse } from './page-response.ts';
import { seenRemote } from './seen-address.ts';

/** Paths that need no quotes in a shell. Paths of repositories never have other characters. */
const plainPath = /^[A-Za-z0-9._/+~@:,-]+$/;

/**
 * Returns the repository whose address a browser requests, with or without `.git` and a final slash (GIT-179);
 * undefined for other requests. A browser names HTML in `Accept`; Git and tools with a wildcard do not.
 */
export function browsedRemote(
  request: Request,
  url: URL,
  { remotes }: Pick<Hosting, 'remotes'>,
): RemoteMatch | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const accept = request.headers.get('accept') ?? '';
  if (!accept.toLowerCase().includes('text/html') || negotiate(accept) !== 'text/html') return undefined;
  const path = url.pathname.replace(/\/$/, '');
  if (!plainPath.test(path)) return undefined;
  const address = new URL(url);
  address.pathname = path;
  const match = remotes.match(address);
  return typeof match === 'object' && match.path === '' ? match : undefined;
}

/**
 * Explains the address of a repository. It reads no storage, so it cannot reveal which repositories exist (GIT-025).
 */
export function remotePage(
  request: Request,
  url: URL,
  match: RemoteMatch,
  { remotes, settings }: Pick<Hosting, 'remotes' | 'settings'>,
): Response {
  // `URL` puts the host in lower case. The stored spelling of an account would reveal that the account exists.
  const { href } = new URL(remotes.fill(match));
  const response = pageResponse(
    request,
    under(mountPathOf(settings.public_url), addressPage(seenRemote(href, settings, url))),
  );
  for (const [name, value] of Object.entries(uncached)) response.headers.set(name, value);
  return response;
}

function addressPage(remote: string): Page {
  const command = `git clone ${remote}`;
  return {
    title: 'The address of a Git repository',
    intro: [
      'This address is for Git, not for browsers. Clone the repository:',
      { code: command },
      'Git asks for a user name, which can be anything, and for a password, which is a token of the repository.',
      'This page is the same for every address of this form, whether there is such a repository or not. [How to use Git here](/docs#git)',
    ],
    sections: [],
    data: { remote, command },
  };
}
