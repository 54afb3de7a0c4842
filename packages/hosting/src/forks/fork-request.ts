import { Fields, type RawFields } from '../input/fields.ts';
import { parseRepoName } from '../names/repo-name.ts';
import type { Settings } from '../settings/settings.ts';

/** A fork, checked. */
export interface ForkRequest {
  readonly name: string;
  readonly description: string | null;
  readonly readOnly: boolean;
  readonly defaultBranchOnly: boolean;
}

/**
 * Reads the body of a fork (REPO-120).
 *
 * @throws {HostingError} for every bad field.
 */
export function readForkRequest(body: RawFields, settings: Settings): ForkRequest {
  const fields = new Fields(body);
  const parsed = parseRepoName(fields.value('name'), settings.repo_name_max);
  if ('broken' in parsed) fields.fail('name', parsed.broken, 'invalidRepoName');
  const description = fields.optionalString('description', settings.description_max) ?? null;
  const readOnly = fields.boolean('read_only', false);
  const defaultBranchOnly = fields.boolean('default_branch_only', true);
  fields.check();
  return { name: body['name'] as string, description, readOnly, defaultBranchOnly };
}
