import { commitBodyMax } from '@packhouse/hosting';
import type { Operation } from './operations.ts';
import { repoOf } from './repo-of.ts';

/** The operation that makes a commit (REPO-250). */
export const commitOperation: Operation = {
  id: 'createCommit',
  summary: 'Commit changes of files to a branch, which is created if it is new',
  method: 'post',
  path: '/namespaces/{namespace}/repos/{repo_name}/commits',
  permission: 'edit',
  status: 201,
  body: 'createCommit',
  bodyMax: commitBodyMax,
  result: 'newCommit',
  run: async ({ commits }, call) => ({ result: await commits.create(repoOf(call), call.body, call.work) }),
};
