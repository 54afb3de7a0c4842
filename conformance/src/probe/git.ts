import type { FoundArea } from '../core/area.ts';
import type { GitServer, Target } from '../core/target.ts';
import { ownConnections } from '../service/own-connection.ts';
import { withGitCredential, hasNames } from '../service/git-server.ts';
import { ask, evidenceOf, type Found, type Probed } from './found.ts';

const query = '/info/refs?service=git-upload-pack';

/** Finds Git at a remote that the control plane at `service` named. */
export async function findGitAt(
  send: (request: Request) => Promise<Response>,
  { remote, token }: { readonly remote: string; readonly token: string },
  service: string,
): Promise<FoundArea> {
  const url = remote + query;
  try {
    const reply = await ask(send, 'GET', url, { token });
    const { origin } = new URL(url);
    const elsewhere = origin === new URL(service).origin ? {} : { elsewhere: origin };
    return { area: 'git', found: isAdvertisement(reply), evidence: evidenceOf('GET', url, reply), ...elsewhere };
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown reason';
    return { area: 'git', found: false, evidence: `${url} cannot be reached: ${why}` };
  }
}

/** Finds a Git server. Its repository must be empty if cases share it and may write. */
export async function findGit(
  target: Pick<Target, 'fetch' | 'readOnly'> & { readonly git: GitServer },
  name: string,
): Promise<FoundArea | Exclude<Found, { kind: 'target' | 'stranger' }>> {
  const { git, readOnly = false } = target;
  const send = withGitCredential(target, ownConnections(target));
  const headers = git.authorization === undefined ? {} : { authorization: git.authorization };
  const remote = git.url.replaceAll('{name}', name);
  const service = hasNames(git) && !readOnly ? query.replace('upload', 'receive') : query;
  const url = remote + service;
  try {
    const reply = await ask(send, 'GET', url, { headers });
    if (reply.status === 401 || reply.status === 403)
      return { kind: 'not admitted', status: reply.status, url: remote };
    const found = isAdvertisement(reply);
    if (found && !hasNames(git) && !readOnly && /[0-9a-f]{40} refs\//.test(reply.text))
      return { kind: 'not empty', url: remote };
    return { area: 'git', found, evidence: evidenceOf('GET', url, reply) };
  } catch (error) {
    return { kind: 'nothing', error };
  }
}

function isAdvertisement({ status, headers }: Probed): boolean {
  return status === 200 && /^application\/x-git-\w+-pack-advertisement/.test(headers.get('content-type') ?? '');
}
