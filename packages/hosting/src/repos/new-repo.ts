import { isValidBranchName } from '@packhouse/git';
import { Fields, type RawFields } from '../input/fields.ts';
import { parseNamespaceName } from '../names/namespace-name.ts';
import { parseRepoName } from '../names/repo-name.ts';
import { invalidNamespaceName } from '../namespaces/namespaces.ts';
import type { Settings } from '../settings/settings.ts';

/** A repo to create, checked. */
export interface RepoRequest {
  readonly namespace: string;
  readonly name: string;
  readonly description: string | null;
  readonly defaultBranch: string;
  readonly readOnly: boolean;
}

/**
 * Reads the path and body of a creation (REPO-060, REPO-110).
 *
 * @throws {HostingError} for every bad field.
 */
export function readRepoRequest(namespace: string, body: RawFields, settings: Settings): RepoRequest {
  const fields = new Fields(body);
  if (parseNamespaceName(namespace, settings) === undefined) fields.fail('namespace', invalidNamespaceName);
  const parsed = parseRepoName(fields.value('name'), settings.repo_name_max);
  if ('broken' in parsed) fields.fail('name', parsed.broken, 'invalidRepoName');
  const description = fields.optionalString('description', settings.description_max) ?? null;
  const errors = fields.errorCount;
  const defaultBranch = fields.optionalString('default_branch') ?? 'main';
  if (fields.errorCount === errors && !isValidBranchName(defaultBranch)) {
    fields.fail('default_branch', 'Invalid branch name');
  }
  const readOnly = fields.boolean('read_only', false);
  fields.check();
  return { namespace, name: body['name'] as string, description, defaultBranch, readOnly };
}
