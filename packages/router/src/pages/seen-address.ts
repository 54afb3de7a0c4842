import { isLoopback, mountPathOf, type Settings } from '@packhouse/hosting';

/** Hosts that a shell takes as they are: commands are made to be pasted. */
const plainHost = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/;

/**
 * The URL that the client of a request reaches the REST API at: `public_url`, or where that is a loopback address, the
 * same path of the origin that the client used (REPO-211).
 */
export function seenOrigin({ public_url: configured }: Pick<Settings, 'public_url'>, url: URL): string {
  return isLoopback(new URL(configured).hostname) && plainHost.test(url.hostname)
    ? url.origin + mountPathOf(configured)
    : configured;
}

/** The same of a remote. A Git origin of its own stays. */
export function seenRemote(remote: string, settings: Pick<Settings, 'public_url' | 'git_origin'>, url: URL): string {
  const { public_url: api, git_origin: git } = settings;
  return git === api && remote.startsWith(`${git}/`) ? seenOrigin(settings, url) + remote.slice(git.length) : remote;
}
