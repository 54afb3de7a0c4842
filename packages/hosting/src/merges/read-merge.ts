import { Fields, type RawFields } from '@packhouse/base';
import type { ObjectId, RefName, Signature, WantedIntegration } from '@packhouse/git';
import { readBranch, readHash, readMessage, readSignature } from '../commits/read-commit.ts';
import type { RelativeName } from '../lookup/open-relative.ts';
import { readRelativeRevision } from '../lookup/relative-revision.ts';

/** A request to merge, cherry-pick or revert, without the address of the other repo. */
export interface MergeRequest {
  readonly wanted: WantedIntegration;
  /** Undefined: what is merged is in the repo itself. */
  readonly relative: RelativeName | undefined;
  /** The member that says what is merged. */
  readonly member: 'from' | 'commit';
}

const strategies = ['merge', 'ff-only', 'squash'] as const;

/**
 * Reads the body of a merge (REPO-280, REPO-283).
 *
 * @param now seconds since 1970, for signatures without a time.
 * @throws {HostingError} with all faults.
 */
export function readMerge(body: RawFields, now: number): MergeRequest {
  const fields = new Fields(body);
  const into = readBranch(fields, 'into');
  const { revision, relative } = readRelativeRevision(fields, 'from');
  const strategy = fields.option('strategy', strategies, 'merge');
  const expectedHead = readExpected(fields, 'expected_head');
  const expectedFrom = readExpected(fields, 'expected_from');
  const isGiven = strategy === 'squash' || fields.value('message') !== undefined;
  const message = isGiven ? readMessage(fields) : undefined;
  const { author, committer } = readPeople(fields, strategy !== 'ff-only', now);
  fields.check();
  const common = { branch: into, revision, expectedHead, message, committer };
  return { wanted: { kind: 'merge', ...common, strategy, expectedFrom, author }, relative, member: 'from' };
}

/** Reads the body of a cherry-pick (REPO-284), as {@link readMerge}. */
export function readCherryPick(body: RawFields, now: number): MergeRequest {
  const fields = new Fields(body);
  const into = readBranch(fields, 'into');
  const { revision, relative } = readRelativeRevision(fields, 'commit');
  const rest = readPick(fields, into, revision);
  const committer = readSignature(fields.object('committer', true), now);
  fields.check();
  return { wanted: { kind: 'cherry-pick', ...rest, committer }, relative, member: 'commit' };
}

/** Reads the body of a revert (REPO-285), as {@link readMerge}. */
export function readRevert(body: RawFields, now: number): MergeRequest {
  const fields = new Fields(body);
  const into = readBranch(fields, 'into');
  const rest = readPick(fields, into, fields.string('commit'));
  const people = readPeople(fields, true, now);
  fields.check();
  return { wanted: { kind: 'revert', ...rest, ...people }, relative: undefined, member: 'commit' };
}

interface Picked {
  readonly branch: RefName;
  readonly revision: string;
  readonly mainline: number | undefined;
  readonly expectedHead: ObjectId | undefined;
  readonly message: string | undefined;
  readonly allowEmpty: boolean;
}

function readPick(fields: Fields, branch: RefName, revision: string): Picked {
  return {
    branch,
    revision,
    mainline: fields.integer('mainline', { min: 1 }, undefined),
    expectedHead: readExpected(fields, 'expected_head'),
    message: fields.value('message') === undefined ? undefined : readMessage(fields),
    allowEmpty: fields.boolean('allow_empty', false),
  };
}

function readExpected(fields: Fields, field: string): ObjectId | undefined {
  return fields.value(field) === undefined ? undefined : readHash(fields, field);
}

function readPeople(
  fields: Fields,
  isRequired: boolean,
  now: number,
): { readonly author: Signature; readonly committer: Signature } {
  const author = readSignature(fields.object('author', isRequired), now);
  const committer = fields.object('committer', false);
  return { author, committer: committer === undefined ? author : readSignature(committer, now) };
}
