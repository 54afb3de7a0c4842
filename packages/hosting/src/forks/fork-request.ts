import { Fields, type RawFields } from '@packhouse/base';
import { checkRepoName } from '../input/repo-fields.ts';
import type { Settings } from '../settings/settings.ts';

/** The checked body of a fork request. */
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
  checkRepoName(fields, fields.value('name'), settings);
  const description = fields.optionalString('description', settings.description_max) ?? null;
  const readOnly = fields.boolean('read_only', false);
  const defaultBranchOnly = fields.boolean('default_branch_only', true);
  fields.check();
  return { name: body['name'] as string, description, readOnly, defaultBranchOnly };
}
