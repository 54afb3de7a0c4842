import { HostingError } from '@packhouse/base';
import type { ImportJob, RepoRecord } from '@packhouse/hosting';
import { callObject } from '../calls/call-object.ts';
import { importedRepo } from '../calls/import-answer.ts';
import type { Environment } from '../environment/environment.ts';
import { objectsIn } from '../environment/jurisdictions.ts';
import { currentScope, newUsage } from './usage.ts';

/**
 * Has the object of a repository carry out its import.
 *
 * @throws {HostingError} Then there is no repo.
 */
export async function importInObject(environment: Environment, job: ImportJob): Promise<RepoRecord> {
  const objects = objectsIn(environment.REPOS, job.repo.jurisdiction);
  const stub = () => objects.getByName(`${job.account}/${job.repo.id}`);
  const options = { stub, usage: currentScope()?.usage ?? newUsage(), repeatable: false };
  const answer = await callObject(options, (calls) => calls.import(job));
  if ('gone' in answer) throw new HostingError('repoNotFound');
  return importedRepo(answer.value);
}
