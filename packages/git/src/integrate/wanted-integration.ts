import type { ChangedRef } from '../change/store-change.ts';
import type { MoveRefusal } from '../change/move-branch.ts';
import type { Signature } from '../commit/commit-body.ts';
import type { PathConflict } from '../merge/merge-commits.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { PushOutcome } from '../receive-pack/push.ts';
import type { RefName } from '../refs/ref-name.ts';

interface WantedBase {
  /** The full name of the branch that moves. */
  readonly branch: RefName;
  /** The revision to merge, pick or revert. */
  readonly revision: string;
  /** The commit that the branch must have; null: it must not exist. Undefined: any. */
  readonly expectedHead: ObjectId | null | undefined;
  /** Default: as Git has it. */
  readonly message: string | undefined;
  readonly committer: Signature;
}

/** A merge, as `git merge --no-ff`, `--ff-only` or `--squash`. */
export interface WantedMerge extends WantedBase {
  readonly kind: 'merge';
  readonly strategy: 'merge' | 'ff-only' | 'squash';
  /** The commit that the revision must have. Undefined: any. */
  readonly expectedFrom: ObjectId | undefined;
  readonly author: Signature;
}

interface WantedChange extends WantedBase {
  /** Number, from 1, of the parent that a merge commit is compared with. */
  readonly mainline: number | undefined;
  /** Allows a commit that changes nothing. */
  readonly allowEmpty: boolean;
}

/** The change of a commit once more, by its author. */
export interface WantedPick extends WantedChange {
  readonly kind: 'cherry-pick';
}

/** The change of a commit undone. */
export interface WantedRevert extends WantedChange {
  readonly kind: 'revert';
  readonly author: Signature;
}

/** A wish to bring another commit into a branch. */
export type WantedIntegration = WantedMerge | WantedPick | WantedRevert;

/** The reason why a branch was not moved. */
export type IntegrationRefusal =
  /** The branch or the revision has another commit than expected, `head`; null if there is no such branch. */
  | { readonly kind: 'stale'; readonly member: 'expected_head' | 'expected_from'; readonly head: ObjectId | null }
  /** The paths at which both sides changed different things, in their order. */
  | { readonly kind: 'conflicts'; readonly conflicts: readonly PathConflict[] }
  /** The revision does not resolve. */
  | { readonly kind: 'no revision' }
  /** The mainline is missing or wrong. */
  | { readonly kind: 'mainline'; readonly reason: string }
  | MoveRefusal;

export type IntegrationResult =
  | {
      readonly kind: 'done';
      /** The commit that was made; null without one. */
      readonly commit: ObjectId | null;
      /** The tree of the branch. */
      readonly tree: ObjectId;
      /** The commit that the revision named. */
      readonly from: ObjectId;
      /** The same values if the branch did not move. */
      readonly ref: ChangedRef;
      readonly outcome: PushOutcome | undefined;
    }
  | { readonly kind: 'refused'; readonly refusal: IntegrationRefusal };
