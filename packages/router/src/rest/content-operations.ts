import { contentTypeOf } from '@packhouse/hosting';
import { HostingError } from '@packhouse/base';
import { archiveBytes } from './archive-bytes.ts';
import { blobBytes, patchBytes } from './byte-response.ts';
import type { Operation } from './operations.ts';
import { percentDecoded, utf8Text } from './percent.ts';
import { repoOf } from './repo-of.ts';

const repoPath = '/namespaces/{namespace}/repos/{repo_name}';
const bytesType = 'application/octet-stream';

/** Operations that read the content of a repository (REPO-080 to REPO-085). */
export const contentOperations: readonly Operation[] = [
  {
    id: 'listCommits',
    summary: 'List the history of revisions, newest first: the first-parent chain of one, or with filters in pages',
    method: 'get',
    path: `${repoPath}/log`,
    permission: 'read',
    status: 200,
    query: 'listCommits',
    result: ['commit'],
    info: 'optional cursor',
    run: async ({ content }, call) => {
      const { commits, info } = await content.log(repoOf(call), call.query, call.work);
      return { result: commits, info };
    },
  },
  {
    id: 'getCommit',
    summary: 'Get a commit, with the files that it changes if asked',
    method: 'get',
    path: `${repoPath}/commit/{hash}`,
    permission: 'read',
    status: 200,
    query: 'getCommit',
    result: 'commitDetails',
    run: async ({ content }, call) => ({
      result: await content.commit(repoOf(call), call.path('hash'), call.query, call.work),
    }),
  },
  {
    id: 'getTree',
    summary: 'List the entries of a tree',
    method: 'get',
    path: `${repoPath}/tree/{hash}`,
    permission: 'read',
    status: 200,
    result: ['treeEntry'],
    async run({ content }, call) {
      const tree = await content.tree(repoOf(call), call.path('hash'), call.work);
      if (!tree.isLarge) return { result: await tree.entries() };
      if (call.isHead) tree.release();
      return { result: [], list: call.isHead ? undefined : tree };
    },
  },
  {
    id: 'listTree',
    summary: 'List a folder at a revision, with what is below it if asked',
    method: 'get',
    path: `${repoPath}/tree`,
    permission: 'read',
    status: 200,
    query: 'listTree',
    result: ['listedEntry'],
    info: 'cursor',
    run: async ({ content }, call) => {
      const { entries, info } = await content.listTree(repoOf(call), call.query, call.work);
      return { result: entries, info };
    },
  },
  {
    id: 'readFiles',
    summary: 'Read several files of a revision; a file that is missing does not fail the others',
    method: 'post',
    path: `${repoPath}/files`,
    permission: 'read',
    status: 200,
    body: 'readFiles',
    result: 'filesRead',
    run: async ({ content }, call) => ({ result: await content.files(repoOf(call), call.body, call.work) }),
  },
  {
    id: 'getBlob',
    summary: 'Get the bytes of a blob',
    method: 'get',
    path: `${repoPath}/blob/{hash}`,
    permission: 'read',
    status: 200,
    bytes: [bytesType],
    read: async ({ content }, call) =>
      blobBytes(await content.blob(repoOf(call), call.path('hash'), call.work), async () => bytesType),
  },
  {
    id: 'getFile',
    summary: 'Get the bytes of a file at a path of a revision',
    method: 'get',
    path: `${repoPath}/file`,
    permission: 'read',
    status: 200,
    query: 'getFile',
    bytes: [bytesType],
    read: async ({ content }, call) =>
      blobBytes(await content.file(repoOf(call), call.query, call.work), async () => bytesType),
  },
  {
    id: 'getRawFile',
    summary: 'Get a file with its type, for programs that show it; a slash in the revision is written %2F',
    method: 'get',
    path: `${repoPath}/raw/{ref}/{path}`,
    permission: 'read',
    status: 200,
    isOpenEnded: true,
    bytes: [bytesType, 'text/plain; charset=utf-8', 'image/*', 'application/pdf'],
    async read({ content }, call) {
      // Split before decoding, so that an encoded slash does not end the revision (REPO-148).
      const [first = '', ...others] = call.encodedFrom('ref');
      const revision = utf8Text(percentDecoded(first));
      const path = percentDecoded(others.join('/'));
      if (revision === undefined) throw new HostingError('fileNotFound');
      const blob = await content.raw(repoOf(call), revision, path, call.work);
      return blobBytes(blob, () => contentTypeOf(path, blob));
    },
  },
  {
    id: 'compareCommits',
    summary: 'Compare the merge base of two revisions with the second of them, as JSON or as a patch',
    method: 'get',
    path: `${repoPath}/compare`,
    permission: 'read',
    status: 200,
    query: 'compareCommits',
    result: 'comparison',
    alternative: {
      type: 'text/x-diff',
      read: async ({ content }, call) => patchBytes(await content.patch(repoOf(call), call.query, call.work)),
    },
    run: async ({ content }, call) => ({ result: await content.compare(repoOf(call), call.query, call.work) }),
  },
  {
    id: 'getArchive',
    summary: 'Get the files of a revision as an archive: its name is the revision with .tar.gz, .tar or .zip',
    method: 'get',
    path: `${repoPath}/archive/{archive}`,
    permission: 'read',
    status: 200,
    query: 'getArchive',
    isOpenEnded: true,
    bytes: ['application/gzip', 'application/x-tar', 'application/zip'],
    read: ({ content }, call) => archiveBytes(content, call),
  },
];
