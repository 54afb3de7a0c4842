import type { GitEngine } from '@packhouse/git';
import { HostingError } from '../errors.ts';
import type { RawFields } from '../input/fields.ts';
import type { Context } from '../internal/context.ts';
import type { Outbound } from '../ports/outbound.ts';
import { beginRepo, type CreatedRepo } from '../repos/begin-repo.ts';
import type { LongWork } from '../repos/long-work.ts';
import { fillRepo } from './fill-repo.ts';
import { cloneUrl, readImportRequest } from './import-request.ts';

/** Imports of this process. */
export interface Imports {
  /**
   * Answers when the repo is ready, or after LIM-014 while the work goes on (REPO-132).
   *
   * @throws {HostingError} Then there is no repo (REPO-133).
   */
  start(account: string, namespace: string, name: string, body: RawFields): Promise<CreatedRepo>;
}

/** `outbound` undefined: this deployment reaches nobody. */
export function createImports(
  context: Context,
  engine: GitEngine,
  longWork: LongWork,
  outbound: Outbound | undefined,
): Imports {
  return {
    async start(account, namespace, name, body) {
      const request = readImportRequest(namespace, name, body, context.settings);
      if (outbound === undefined) throw new HostingError('upstreamUnavailable');
      const { description, readOnly, branch: defaultBranch = 'main' } = request;
      const source = `git:${cloneUrl(request.url)}`;
      const { repo, token, firstToken } = await beginRepo(
        context,
        account,
        { namespace, name, description, readOnly, defaultBranch },
        { source, status: 'importing' },
        'importing',
      );
      const ready = await longWork.run(account, repo, (signal) =>
        fillRepo(context, engine, { account, repo, firstToken, request, outbound, signal }),
      );
      return { repo: ready ?? repo, token };
    },
  };
}
