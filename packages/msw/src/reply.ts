import type { CursorInfo, OffsetInfo } from '@packhouse/hosting';

/** A success as JSON, of REST or of the tagging API (REPO-033). `Result`: such as `RepoInfo` or `TaggedResource`. */
export interface Reply<Result> {
  readonly result: Result;
  readonly success: true;
  readonly errors: readonly [];
  readonly messages: readonly [];
}

/**
 * A page of a list. `Info`: of REST, `CursorInfo` where `cursor` was sent, also an empty one (REPO-090); of the tagging API
 * `TagListInfo` (TAG-076).
 */
export interface ListReply<Item, Info = CursorInfo | OffsetInfo> extends Reply<readonly Item[]> {
  readonly result_info: Info;
}

/** A refusal as JSON, of REST or of the tagging API (REPO-033, TAG-021). Platform errors are problems of RFC 9457. */
export interface Refusal {
  readonly result: null;
  readonly success: false;
  /** At least one; of REST, one for each bad field (REPO-037). */
  readonly errors: readonly [RefusalReason, ...RefusalReason[]];
  /** Of the tagging API: what more there is to say (TAG-025). */
  readonly messages: readonly { readonly code: number; readonly message: string }[];
}

/** What is wrong, under a number that stays the same. */
export interface RefusalReason {
  readonly code: number;
  readonly message: string;
  readonly documentation_url: string;
  /** `/` and the name of the member or parameter at fault. */
  readonly source?: { readonly pointer: string };
}
