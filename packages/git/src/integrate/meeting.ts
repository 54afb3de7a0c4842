import type { HeldView } from '../content/content-reader.ts';
import type { CommitFacts } from '../commit/commit-body.ts';
import { holding } from '../memory/holding.ts';
import type { MergeSetting } from '../merge/merge-commits.ts';
import type { GitObject } from '../object/kind.ts';
import type { ObjectId } from '../object/object-id.ts';
import type { IntegrationRefusal } from './wanted-integration.ts';

/** The commits that meet in one attempt, and their repositories. */
export interface Meeting {
  readonly target: HeldView;
  /** The same as `target` unless another repository has what is integrated. */
  readonly source: HeldView;
  /** The address of that repository. */
  readonly remote: string | undefined;
  /** The head of the branch. */
  readonly head: ObjectId;
  /** The node in `source` of what is integrated, and its id. */
  readonly node: number;
  readonly from: ObjectId;
}

/** Result for a branch. */
export type Integrated =
  | { readonly kind: 'up to date' }
  /** It moves to the commit that is integrated. */
  | { readonly kind: 'fast-forward' }
  /** It gets a new commit. `objects`: the trees and blobs that neither repository has. */
  | { readonly kind: 'new'; readonly facts: CommitFacts; readonly objects: readonly GitObject[] }
  | { readonly kind: 'refused'; readonly refusal: IntegrationRefusal };

/** Returns the setting of a merge of the commits that meet. `labels` name them. */
export function settingOf({ target, source }: Meeting, labels: MergeSetting['labels']): MergeSetting {
  return {
    views: source === target ? [target.view] : [target.view, source.view],
    hold: holding(target.account, target.memoryMax),
    labels,
  };
}

export function refused(reason: string): Integrated {
  return { kind: 'refused', refusal: { kind: 'refused', reason } };
}
