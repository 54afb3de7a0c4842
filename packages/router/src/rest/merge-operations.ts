import type { Merge } from '@packhouse/hosting';
import type { Success } from './envelope.ts';
import type { Operation } from './operations.ts';
import { repoOf } from './repo-of.ts';

const repoPath = '/namespaces/{namespace}/repos/{repo_name}';

/** Operations that merge commits into a branch (REPO-277 to REPO-279). */
export const mergeOperations: readonly Operation[] = [
  {
    id: 'merge',
    summary: 'Merge a branch into another one, also from a fork or the parent',
    method: 'post',
    path: `${repoPath}/merges`,
    permission: 'edit',
    status: 201,
    idleStatus: 200,
    body: 'merge',
    result: 'merged',
    run: async ({ merges }, call) => merged(await merges.merge(repoOf(call), call.body, call.work)),
  },
  {
    id: 'cherryPick',
    summary: 'Apply the change of a commit to a branch, with its author and message',
    method: 'post',
    path: `${repoPath}/cherry-picks`,
    permission: 'edit',
    status: 201,
    body: 'cherryPick',
    result: 'merged',
    run: async ({ merges }, call) => merged(await merges.cherryPick(repoOf(call), call.body, call.work)),
  },
  {
    id: 'revert',
    summary: 'Undo the change of a commit on a branch',
    method: 'post',
    path: `${repoPath}/reverts`,
    permission: 'edit',
    status: 201,
    body: 'revert',
    result: 'merged',
    run: async ({ merges }, call) => merged(await merges.revert(repoOf(call), call.body, call.work)),
  },
];

function merged(result: Merge): Omit<Success, 'status'> {
  return { result, isIdle: result.ref.old === result.ref.new };
}
