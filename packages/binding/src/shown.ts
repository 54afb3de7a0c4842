import type * as git from '@packhouse/git';
import type * as hosting from '@packhouse/hosting';
import type {
  ChangedFiles,
  CreateRepoResult,
  CreateTokenResult,
  RepoDetails,
  RepoInfo,
  RepoListItem,
  TokenInfo,
} from './results.ts';

/**
 * Converts results of the service to the types of bindings (BIND-014). Each result is a new object, which the caller
 * may change (BIND-015).
 */
export function shownInfo(info: hosting.RepoDetails): RepoDetails {
  const { remote, size, object_count: objectCount, ref_count: refCount } = info;
  return { ...listed(info), remote, size, objectCount, refCount };
}

export function shownListItem(item: hosting.RepoListItem): RepoListItem {
  return { ...listed(item), status: item.status };
}

function listed(info: hosting.RepoInfo): Omit<RepoInfo, 'remote'> {
  return {
    id: info.id,
    name: info.name,
    description: info.description,
    defaultBranch: info.default_branch,
    createdAt: info.created_at,
    updatedAt: info.updated_at,
    lastPushAt: info.last_push_at,
    source: info.source,
    readOnly: info.read_only,
  };
}

export function shownNewRepo(made: hosting.CreateRepoResult): CreateRepoResult {
  const { id, name, description, default_branch: defaultBranch, remote, token } = made;
  return { id, name, description, defaultBranch, remote, token };
}

export function shownNewToken(made: hosting.CreateTokenResult): CreateTokenResult {
  return { id: made.id, plaintext: made.plaintext, scope: made.scope, expiresAt: made.expires_at };
}

export function shownToken(token: hosting.TokenInfo): TokenInfo {
  const { id, scope, state, created_at: createdAt, expires_at: expiresAt } = token;
  return { id, scope, state, createdAt, expiresAt };
}

export function shownChanges({ files, truncated, renames_limited: renamesLimited }: git.ChangedFiles): ChangedFiles {
  const shown = files.map((file) => ({
    path: file.path,
    previousPath: file.previous_path,
    status: file.status,
    oldMode: file.old_mode,
    newMode: file.new_mode,
    oldHash: file.old_hash,
    newHash: file.new_hash,
    similarity: file.similarity,
    additions: file.additions,
    deletions: file.deletions,
    binary: file.binary,
  }));
  return { files: shown, truncated, renamesLimited };
}
