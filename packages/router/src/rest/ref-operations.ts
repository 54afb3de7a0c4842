import type { Call, Operation } from './operations.ts';
import { percentDecoded, utf8Text } from './percent.ts';
import { repoOf } from './repo-of.ts';

const refsPath = '/namespaces/{namespace}/repos/{repo_name}/refs';

/** Operations on refs (REPO-230, REPO-231, REPO-241 to REPO-243). */
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
    run: async ({ refs }, call) => ({ result: await refs.get(repoOf(call), refNameOf(call), call.work) }),
  },
  {
    id: 'setRef',
    summary: 'Create a ref, or move it to another commit; the path is its full name',
    method: 'put',
    path: `${refsPath}/{ref_name}`,
    permission: 'edit',
    status: 200,
    isOpenEnded: true,
    body: 'setRef',
    result: 'refChange',
    run: async ({ refs }, call) => ({ result: await refs.set(repoOf(call), refNameOf(call), call.body, call.work) }),
  },
  {
    id: 'deleteRef',
    summary: 'Delete a ref; the path is its full name',
    method: 'delete',
    path: `${refsPath}/{ref_name}`,
    permission: 'edit',
    status: 200,
    isOpenEnded: true,
    query: 'deleteRef',
    result: 'refChange',
    run: async ({ refs }, call) => ({
      result: await refs.delete(repoOf(call), refNameOf(call), call.query, call.work),
    }),
  },
  {
    id: 'updateRefs',
    summary: 'Create, move and delete refs, all or none',
    method: 'post',
    path: refsPath,
    permission: 'edit',
    status: 200,
    body: 'updateRefs',
    result: ['refChange'],
    run: async ({ refs }, call) => ({ result: await refs.update(repoOf(call), call.body, call.work) }),
  },
];

/** Returns the full name that a path has. Bytes that are not UTF-8 name no ref. */
function refNameOf(call: Call): string {
  return `refs/${utf8Text(percentDecoded(call.encodedFrom('ref_name').join('/'))) ?? ''}`;
}
