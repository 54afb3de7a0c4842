export interface CustomErrors {
  /** What is accepted but probably not meant (ERR-116). */
  readonly warnings: readonly string[];
}
