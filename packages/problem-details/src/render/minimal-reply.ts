/** What a minimal reply says (ERR-100). */
export interface MinimalReply {
  readonly status: number;
  /** The reason phrase of `status`. */
  readonly title: string;
  /** One sentence. */
  readonly detail: string;
}
