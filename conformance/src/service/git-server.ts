import { NotDone, Skipped } from '../core/outcome.ts';
import type { GitServer, Target } from '../core/target.ts';
import { gitAuth } from '../tools/git-auth.ts';
import { discover, push, remove, type Remote } from '../tools/wire-client.ts';

/** Returns true if each case has its own repository. */
export function hasNames({ url }: GitServer): boolean {
  return url.includes('{name}');
}

/** Stands for the credential of the server in what cases send. */
const standIn = 'git-server-credential';

/**
 * Returns the sender of a target, which puts the credential of its Git server in place of the token that stands for it.
 * Cases send that as they send the token of a repo.
 */
export function withGitCredential({ git }: Pick<Target, 'git'>, send: Send): Send {
  if (git === undefined) return send;
  return async (request) => {
    if (carries(request.headers.get('authorization') ?? '')) {
      if (git.authorization === undefined) request.headers.delete('authorization');
      else request.headers.set('authorization', git.authorization);
    }
    return await send(request);
  };
}

type Send = (request: Request) => Promise<Response>;

function carries(header: string): boolean {
  const [scheme = '', value = ''] = header.split(' ');
  return scheme.toLowerCase() === 'basic'
    ? Buffer.from(value, 'base64').toString().endsWith(`:${standIn}`)
    : value === standIn;
}

/** Repositories of a Git server, for the cases of one run. */
export class GitRepos {
  readonly #server: GitServer;
  /** Why the one repository cannot be used any more. */
  #used: string | undefined;

  /** True if it has no version 2. */
  #isOld: boolean | undefined;

  constructor(server: GitServer) {
    this.#server = server;
  }

  /** Returns the repository that only reading cases use. */
  existing(fetch: NonNullable<Remote['fetch']>): GitRepo {
    return this.#at(this.#server.url, fetch);
  }

  /**
   * Returns an empty repository.
   *
   * @param name its name, if each has one.
   * @param taken how many the case has already.
   * @throws {Skipped} if there is no other one.
   */
  async take(name: string, taken: number, fetch: NonNullable<Remote['fetch']>): Promise<GitRepo> {
    if (!hasNames(this.#server) && (taken > 0 || this.#used !== undefined)) {
      const why = this.#used === undefined ? '' : `: ${this.#used}`;
      throw new Skipped(`needs a fresh repository ({name} in --git)${why}`);
    }
    const repo = this.#at(this.#server.url.replaceAll('{name}', name), fetch);
    const { status } = await discover(repo, { service: 'git-receive-pack' });
    if (status !== 200) throw new NotDone(`the server offers no pushes to ${repo.remote}: ${status}`);
    this.#isOld ??= (await discover(repo, { version: 2 })).lines[2] !== 'version 2';
    return { ...repo, isOld: this.#isOld };
  }

  /** Deletes all refs of a repository. Returns what could not be done. */
  async empty(repo: GitRepo): Promise<readonly string[]> {
    try {
      const { status, lines } = await discover(repo, { service: 'git-receive-pack' });
      if (status !== 200) throw new Error(`its refs cannot be listed (${status})`);
      const refs = lines.flatMap((line) => {
        const [, oid, ref] = /^([0-9a-f]{40}) (refs\/[^\0]+)/.exec(line) ?? [];
        return oid === undefined || ref === undefined ? [] : [remove(Buffer.from(ref, 'latin1'), { oid })];
      });
      const report = refs.length === 0 ? [] : await push(repo, refs);
      const refused = report.filter((line) => !/^(?:unpack ok|ok )/.test(line));
      if (refused.length > 0) throw new Error(`refs cannot be deleted (${refused.join('; ')})`);
      return [];
    } catch (error) {
      this.#used = error instanceof Error ? error.message : 'its refs cannot be deleted';
      return [`${repo.remote}: ${this.#used}`];
    }
  }

  #at(remote: string, fetch: NonNullable<Remote['fetch']>): GitRepo {
    const { authorization = null } = this.#server;
    const auth = authorization === null ? [] : gitAuth(authorization);
    return { remote, token: standIn, fetch, auth, foreign: true, authorization };
  }
}

export interface GitRepo extends Remote {
  readonly fetch: NonNullable<Remote['fetch']>;
  readonly auth: readonly string[];
}
