import type { Remote } from '../client/remote.ts';
import { runGit } from '../internal/run-git.ts';

/** Returns the options of `git` that give access to a remote. */
export const headerSettings = (remote: Remote): string[] =>
  Object.entries(remote.headers).flatMap(([name, value]) => ['-c', `http.extraHeader=${name}: ${value}`]);

/** Pushes with stock `git`. */
export const pushWithGit = (remote: Remote, cwd: string, refspecs: readonly string[]): Promise<string> =>
  runGit([...headerSettings(remote), 'push', '--quiet', remote.url, ...refspecs], { cwd });

/** Lists refs with stock `git`. Resolves to their number, without peeled values. */
export const listRefsWithGit = async (remote: Remote): Promise<number> => {
  const listing = await runGit([...headerSettings(remote), 'ls-remote', '--refs', remote.url]);
  return listing === '' ? 0 : listing.split('\n').length;
};
