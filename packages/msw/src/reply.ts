import type { CursorInfo, OffsetInfo } from '@packhouse/hosting';

/**
 * The JSON of a successful reply of REST or the tagging API (REPO-033). `Result` is a type such as `RepoInfo` or
 * `TaggedResource`.
 */
export interface Reply<Result> {
  readonly result: Result;
  readonly success: true;
  readonly errors: readonly [];
  readonly messages: readonly [];
}

/**
 * One page of a list. `Info` is `TagListInfo` for the tagging API (TAG-076). For REST it is `CursorInfo` if the request
 * has `cursor`, even an empty one (REPO-090).
 */
export interface ListReply<Item, Info = CursorInfo | OffsetInfo> extends Reply<readonly Item[]> {
  readonly result_info: Info;
}

/**
 * The JSON of a refusal by REST or the tagging API (REPO-033, TAG-021). Platform errors are problems of RFC 9457
 * instead.
 */
export interface Refusal {
  readonly result: null;
  readonly success: false;
  /** At least one reason. REST gives one per invalid field (REPO-037). */
  readonly errors: readonly [RefusalReason, ...RefusalReason[]];
  /** Further details from the tagging API (TAG-025). */
  readonly messages: readonly { readonly code: number; readonly message: string }[];
}

/** The reason of a refusal. Its code and `reason` are stable. */
export interface RefusalReason {
  readonly code: number;
  readonly message: string;
  readonly documentation_url: string;
  /** `/` and the name of the wrong member or parameter. */
  readonly source?: { readonly pointer: string };
  /** The case in snake_case, such as `repo_not_found` (REPO-298). */
  readonly reason: string;
  /** True if the same request may succeed later (REPO-299). */
  readonly retryable: boolean;
  /** Advice on the next step: one sentence (REPO-300). */
  readonly hint: string;
}
