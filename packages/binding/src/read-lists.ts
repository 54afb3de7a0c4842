import { HostingError } from '@packhouse/base';
import type { RepoIdentity } from '@packhouse/hosting';
import { given, givenFlag, givenNumber, givenOptions } from './given.ts';
import { fitting, shownCommit, type ContentContext } from './read-content.ts';
import type { Commit, FilesRead, TreeListing } from './results.ts';

/** Members of the options of `log` that only a read of filtered history has (BIND-107). */
const filters = ['path', 'parents', 'author', 'since', 'until'] as const;

/** Names of the arguments of these reads, by the pointers of the service. */
export const listArguments: Readonly<Record<string, string>> = Object.fromEntries(
  ['ref', ...filters, 'recursive', 'depth', 'limit', 'offset', 'cursor'].map((name) => [`/${name}`, `opts.${name}`]),
);
export const filesArguments: Readonly<Record<string, string>> = { '/ref': 'args.ref', '/paths': 'args.paths' };

type Read<Result> = (repo: RepoIdentity) => Promise<Result>;

/** Reads several files; null if the ref does not resolve (BIND-105). */
export function readFiles(context: ContentContext, args: unknown): Read<FilesRead | null> {
  const { ref, paths } = givenOptions(context.failures, args, 'args');
  const body = { ref: given(ref), paths: given(paths) };
  return nullIfMissing(async (repo) => {
    const { commit, files } = await context.hosting.content.files(repo, body);
    return fitting(context, {
      commit,
      files: files.map((file) => ({ ...file, error: file.error && { ...file.error } })),
    });
  });
}

/** Lists a folder; null if the ref or the folder is missing (BIND-106). */
export function listTree(context: ContentContext, opts: unknown): Read<TreeListing | null> {
  const { ref, path, recursive, depth, limit, cursor } = givenOptions(context.failures, opts, 'opts');
  const query = {
    ref: given(ref),
    path: given(path),
    recursive: givenFlag(recursive),
    depth: givenNumber(depth),
    limit: givenNumber(limit),
    cursor: given(cursor),
  };
  return nullIfMissing(async (repo) => {
    const { entries, info } = await context.hosting.content.listTree(repo, query);
    const found = entries.map((entry) => ({ ...entry }));
    return fitting(context, { entries: found, ...(info.cursor !== '' && { cursor: info.cursor }) });
  });
}

/** Reads filtered history; empty if a ref does not resolve (BIND-107). Undefined if the options have no filter. */
export function readFilteredLog(context: ContentContext, opts: unknown): Read<Commit[]> | undefined {
  const options = givenOptions(context.failures, opts, 'opts');
  const isFiltered =
    filters.some((name) => options[name] !== undefined) ||
    (typeof options['ref'] === 'string' && options['ref'].includes(' '));
  if (!isFiltered) return undefined;
  const { ref, limit, offset, path, parents, author, since, until } = options;
  const { settings, content } = context.hosting;
  const wanted = givenNumber(limit) ?? settings.log_page_default;
  const count = Math.min(wanted as number, settings.log_page_max);
  const query = {
    ref: given(ref),
    offset: givenNumber(offset),
    path: given(path),
    parents: given(parents),
    author: given(author),
    since: givenNumber(since),
    until: givenNumber(until),
  };
  return async (repo) => {
    const found: Commit[] = [];
    try {
      // A page may end early where much had to be looked at.
      for (let cursor: string | undefined = ''; cursor !== undefined;) {
        const page = await content.log(repo, { ...query, limit: count - found.length, cursor });
        found.push(...page.commits.map(shownCommit));
        cursor = found.length >= count ? undefined : page.info?.cursor || undefined;
      }
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    return fitting(context, found);
  };
}

function nullIfMissing<Result>(read: Read<Result>): Read<Result | null> {
  return async (repo) => {
    try {
      return await read(repo);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof HostingError && (error.kind === 'refNotFound' || error.kind === 'treeNotFound');
}
