import { Fields, type RawFields } from '@packhouse/base';
import { checkNamespace, checkRepoName, readBranch } from '../input/repo-fields.ts';
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
  checkNamespace(fields, namespace, settings);
  checkRepoName(fields, fields.value('name'), settings);
  const description = fields.optionalString('description', settings.description_max) ?? null;
  const defaultBranch = readBranch(fields, 'default_branch') ?? 'main';
  const readOnly = fields.boolean('read_only', false);
  fields.check();
  return { namespace, name: body['name'] as string, description, defaultBranch, readOnly };
}
