import { Fields, HostingError, type RawFields } from '@packhouse/base';
import { checkRepoName, readBranch } from '../input/repo-fields.ts';
import type { RepoRecord } from '../ports/catalog.ts';
import type { Settings } from '../settings/settings.ts';

/** The checked body of an update. An absent member changes nothing. */
export type UpdateRequest = Partial<Pick<RepoRecord, 'name' | 'description' | 'defaultBranch' | 'readOnly'>>;

const members = ['name', 'description', 'default_branch', 'read_only'] as const;

/**
 * Reads the body of an update (REPO-237).
 *
 * @throws {HostingError} for every bad field, and for a body without any.
 */
export function readUpdateRequest(body: RawFields, settings: Settings): UpdateRequest {
  const fields = new Fields(body);
  const isPresent = (name: (typeof members)[number]): boolean => fields.value(name) !== undefined;
  if (isPresent('name')) checkRepoName(fields, fields.value('name'), settings);
  // Null means no description here, unlike for other members (REPO-042).
  const isCleared = Object.hasOwn(body, 'description') && body['description'] === null;
  const description = isCleared ? null : fields.optionalString('description', settings.description_max);
  const defaultBranch = readBranch(fields, 'default_branch');
  const readOnly = fields.boolean('read_only', false);
  fields.check();
  if (!isCleared && !members.some(isPresent)) {
    const names = members.map((name) => `"${name}"`).join('|');
    throw new HostingError('invalidInput', { text: `Invalid input: expected at least one of ${names}` });
  }
  return {
    ...(isPresent('name') && { name: body['name'] as string }),
    ...(description !== undefined && { description }),
    ...(defaultBranch !== undefined && { defaultBranch }),
    ...(isPresent('read_only') && { readOnly }),
  };
}
