import { HostingError, type ErrorItem, type RepoErrorKind } from '@packhouse/base';
import type { RepoRecord } from '@packhouse/hosting';

/** What became of an import, as it travels: classes do not. */
export type ImportAnswer =
  | { readonly repo: RepoRecord }
  | { readonly failed: RepoErrorKind; readonly items: readonly [ErrorItem, ...ErrorItem[]] };

/** @param report is told of failures that no client is told of. Never rejects. */
export async function importAnswer(work: Promise<RepoRecord>, report: (error: unknown) => void): Promise<ImportAnswer> {
  try {
    return { repo: await work };
  } catch (error) {
    if (!(error instanceof HostingError)) report(error);
    const { kind, items } = error instanceof HostingError ? error : new HostingError('internal');
    return { failed: kind, items };
  }
}

/** @throws {HostingError} */
export function importedRepo(answer: ImportAnswer): RepoRecord {
  if ('repo' in answer) return answer.repo;
  throw new HostingError(answer.failed, { items: answer.items });
}
