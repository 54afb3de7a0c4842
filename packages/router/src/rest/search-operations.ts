import type { Operation } from './operations.ts';
import { repoOf } from './repo-of.ts';

/** Search over the files of a repository (REPO-292). */
export const searchOperations: readonly Operation[] = [
  {
    id: 'searchFiles',
    summary: 'Find the lines of files that contain a text or match a regular expression, in pages',
    method: 'get',
    path: '/namespaces/{namespace}/repos/{repo_name}/search',
    permission: 'read',
    status: 200,
    query: 'searchFiles',
    result: 'searchResult',
    info: 'cursor',
    run: ({ content }, call) => content.search(repoOf(call), call.query, call.work),
  },
];
