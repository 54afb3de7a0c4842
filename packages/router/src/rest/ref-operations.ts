import type { Operation } from './operations.ts';
import { percentDecoded, utf8Text } from './percent.ts';
import { repoOf } from './repo-of.ts';

const refsPath = '/namespaces/{namespace}/repos/{repo_name}/refs';

/** Operations on refs (REPO-230, REPO-231). */
export const refOperations: readonly Operation[] = [
  {
    id: 'listRefs',
    summary: 'List branches, tags and other refs by full name, in pages',
    method: 'get',
    path: refsPath,
    permission: 'read',
    status: 200,
    query: 'listRefs',
    result: ['ref'],
    info: 'cursor',
    run: async ({ refs }, call) => {
      const { rows, info } = await refs.list(repoOf(call), call.query, call.work);
      return { result: rows, info };
    },
  },
  {
    id: 'getRef',
    summary: 'Get a ref; the path from refs on is its full name, whose slashes may be written %2F',
    method: 'get',
    path: `${refsPath}/{ref_name}`,
    permission: 'read',
    status: 200,
    isOpenEnded: true,
    result: 'ref',
    async run({ refs }, call) {
      // What is not UTF-8 is no name of a ref, which shows after the repository was found.
      const rest = utf8Text(percentDecoded(call.encodedFrom('ref_name').join('/'))) ?? '';
      return { result: await refs.get(repoOf(call), `refs/${rest}`, call.work) };
    },
  },
];
