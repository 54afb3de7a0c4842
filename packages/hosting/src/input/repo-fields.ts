import { isValidBranchName } from '@packhouse/git';
import { parseNamespaceName } from '../names/namespace-name.ts';
import { parseRepoName } from '../names/repo-name.ts';
import { invalidNamespaceName } from '../namespaces/namespaces.ts';
import type { Settings } from '../settings/settings.ts';
import type { Fields } from '@packhouse/base';

/** Notes a fault of the name of a namespace that is made if it is missing (REPO-060). */
export function checkNamespace(fields: Fields, namespace: string, settings: Settings): void {
  if (parseNamespaceName(namespace, settings) === undefined) fields.fail('namespace', invalidNamespaceName);
}

/** Notes a fault of the name of a repo that is to be made (REPO-061). */
export function checkRepoName(fields: Fields, name: unknown, settings: Settings): void {
  const parsed = parseRepoName(name, settings.repo_name_max);
  if ('broken' in parsed) fields.fail('name', parsed.broken, 'invalidRepoName');
}

/** Reads an optional name of a branch, and notes its fault (REPO-063). */
export function readBranch(fields: Fields, name: 'branch' | 'default_branch'): string | undefined {
  const errors = fields.errorCount;
  const branch = fields.optionalString(name);
  if (branch !== undefined && fields.errorCount === errors && !isValidBranchName(branch)) {
    fields.fail(name, 'Invalid branch name');
  }
  return branch;
}
