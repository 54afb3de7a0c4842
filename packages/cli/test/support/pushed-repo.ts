import { spawn } from 'node:child_process';
import { gitEnvironment } from '@packhouse/fixtures';
import { apiToken, type KillableServer } from './killable-server.ts';

/** A repo of a server that will be killed, for stock git. */
export interface PushedRepo {
  readonly remote: string;
  /** Arguments of stock git that carry its token. */
  readonly auth: readonly string[];
}

export async function createRepo(server: KillableServer): Promise<PushedRepo> {
  const response = await fetch(`${server.url}/v4/accounts/local/repos/namespaces/default/repos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'killed' }),
  });
  const { result } = (await response.json()) as { result: { remote: string; token: string } };
  return { remote: result.remote, auth: ['-c', `http.extraHeader=Authorization: Bearer ${result.token}`] };
}

/** Pushes refs of a work tree. Returns true if the client saw that it succeeded. */
export function pushFrom(work: string, { remote, auth }: PushedRepo, ...refs: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('git', [...auth, 'push', '--quiet', remote, ...refs], {
      cwd: work,
      env: gitEnvironment,
      stdio: 'ignore',
    });
    child.on('close', (status) => resolve(status === 0));
  });
}
