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
    async run({ content }, call) {
      const { regex, ignore_case: ignoreCase } = call.query;
      const query = { ...call.query, regex: toBoolean(regex), ignore_case: toBoolean(ignoreCase) };
      return content.search(repoOf(call), query, call.work);
    },
  },
];

/** Returns the boolean that a parameter of a query stands for; another value unchanged. */
function toBoolean(value: unknown): unknown {
  return value === 'true' || value === 'false' ? value === 'true' : value;
}
