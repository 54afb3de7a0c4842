import type { GitEngine } from '@packhouse/git';
import { HostingError } from '../errors.ts';
import type { RawFields } from '../input/fields.ts';
import type { Context } from '../internal/context.ts';
import type { Outbound } from '../ports/outbound.ts';
import { beginRepo, orUndo, type CreatedRepo } from '../repos/begin-repo.ts';
import { fillRepo, type ImportWork } from './fill-repo.ts';
import { cloneUrl, readImportRequest } from './import-request.ts';

/** Imports of this process. */
export interface Imports {
  /**
   * Answers when the repo is ready, or after LIM-014 while the work goes on (REPO-132).
   *
   * @throws {HostingError} Then there is no repo (REPO-133).
   */
  start(account: string, namespace: string, name: string, body: RawFields): Promise<CreatedRepo>;
  /** Ends the import of a repo that was deleted, if it runs here; elsewhere it learns of that by its next sign of life. */
  cancel(id: string): void;
  /** Ends all of them. */
  stop(): void;
}

/** `outbound` undefined: this deployment reaches nobody. */
export function createImports(context: Context, engine: GitEngine, outbound: Outbound | undefined): Imports {
  const { settings } = context;
  const running = new Map<string, AbortController>();

  const run = async (work: Omit<ImportWork, 'signal' | 'cancel'>): Promise<CreatedRepo['repo']> => {
    const controller = new AbortController();
    const { id } = work.repo;
    running.set(id, controller);
    try {
      return await orUndo(context, work.account, id, () =>
        fillRepo(context, engine, { ...work, signal: controller.signal, cancel: () => controller.abort() }),
      );
    } finally {
      running.delete(id);
    }
  };

  return {
    async start(account, namespace, name, body) {
      const request = readImportRequest(namespace, name, body, settings);
      if (outbound === undefined) throw new HostingError('upstreamUnavailable');
      const { description, readOnly, branch: defaultBranch = 'main' } = request;
      const source = `git:${cloneUrl(request.url)}`;
      const { repo, token } = await beginRepo(
        context,
        account,
        { namespace, name, description, readOnly, defaultBranch },
        { source, status: 'importing' },
        'importing',
      );
      const work = run({ account, repo, request, outbound });
      let isAnswered = false;
      // A failure after the reply leaves no repo, which is all there is to see of it.
      const failed = (error: unknown): void => {
        if (isAnswered && !(error instanceof HostingError)) context.report(error);
      };
      context.background(work.then(() => {}, failed));
      const first = await within(settings.sync_wait * 1000, work);
      isAnswered = true;
      return { repo: first ?? repo, token };
    },

    cancel: (id) => running.get(id)?.abort(),

    stop() {
      for (const controller of running.values()) controller.abort();
    },
  };
}

/** What `work` comes to, or undefined after so many milliseconds. */
async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
