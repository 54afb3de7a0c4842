import { isLoopback, mountPathOf, type Settings } from '@packhouse/hosting';

/** Hosts that need no quotes in a shell, because users paste the commands of a page. */
const plainHost = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;

/**
 * Returns the URL at which the client reaches the REST API (REPO-211). That is `public_url`. If `public_url` is a
 * loopback address, it is the same path at the origin of the request.
 */
export function seenOrigin({ public_url: configured }: Pick<Settings, 'public_url'>, url: URL): string {
  return isLoopback(new URL(configured).hostname) && plainHost.test(url.hostname)
    ? url.origin + mountPathOf(configured)
    : configured;
}

/** Returns the URL at which the client reaches a remote. A separate Git origin stays unchanged. */
export function seenRemote(remote: string, settings: Pick<Settings, 'public_url' | 'git_origin'>, url: URL): string {
  const { public_url: api, git_origin: git } = settings;
  return git === api && remote.startsWith(`${git}/`) ? seenOrigin(settings, url) + remote.slice(git.length) : remote;
}
