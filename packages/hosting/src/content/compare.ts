import { Comparison, type ContentReader } from '@packhouse/git';
import { Fields, type RawFields } from '@packhouse/base';
import { failed, failure } from '../changes/failure.ts';
import { readRelativeRevision, type RelativeRevision } from '../lookup/relative-revision.ts';
import type { RelativeName } from '../lookup/open-relative.ts';
import type { OpenRepo } from '../lookup/open-repo.ts';

/** Reads opened repos together, in their order. */
type ReadOpened = <T>(
  opened: readonly OpenRepo[],
  read: (readers: readonly ContentReader[]) => Promise<T>,
) => Promise<T>;

/**
 * Compares the revisions `base` and `head` of a query, each of which may name its repo (REPO-271, REPO-276).
 *
 * @param open opens the repo that is asked, or its relative of that name.
 * @throws {HostingError} `invalidInput`, `refNotFound`, or an error of opening.
 */
export async function compare<T>(
  query: RawFields,
  open: (relative: RelativeName | undefined) => Promise<OpenRepo>,
  readOpened: ReadOpened,
  use: (comparison: Comparison) => Promise<T>,
): Promise<T> {
  const fields = new Fields(query);
  const [base, head] = [readRelativeRevision(fields, 'base'), readRelativeRevision(fields, 'head')];
  fields.check();
  const isOfOne = [base, head].every(({ relative }) => relative === undefined);
  const opened = [await open(base.relative)];
  if (!isOfOne) opened.push(await open(head.relative));
  return readOpened(opened, async (readers) => {
    const end = (number: number, { revision }: RelativeRevision) => {
      return { reader: readers.at(number) as ContentReader, revision };
    };
    const comparison = await Comparison.open(end(0, base), end(-1, head));
    if (typeof comparison === 'string') throw failed([failure('refNotFound', { pointer: `/${comparison}` })]);
    return use(comparison);
  });
}
