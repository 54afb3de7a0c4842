/** Wire constants of error responses that contain a platform's name (ERR-003 to ERR-008). */
export interface ErrorDialect {
  readonly name: string;
  /** Name of the JSON and Markdown member that is always `true` (ERR-003). It ends with `_error`. */
  readonly marker: string;
  /** Name of the category `platform` (ERR-004). */
  readonly platformCategory: string;
  /** Templates of `type` with `{docs_base}` and `{code}`, for codes below 1000 and from 1000 on (ERR-005). */
  readonly types: { readonly below1000: string; readonly from1000: string };
  /** URLs that replace the template for some codes (ERR-165). Default: none. */
  readonly sharedTypes?: readonly { readonly type: string; readonly codes: readonly number[] }[];
  /**
   * Adds `what_you_should_do` to the Markdown frontmatter, unless an option says otherwise (ERR-055). Default: true.
   */
  readonly guidanceMember?: boolean;
  /** Final sentence of every response (ERR-006). */
  readonly footer: string;
  /** Lower case (ERR-007). */
  readonly rayIdHeader: string;
  /** Tokens for the box of an Error Page (ERR-008). */
  readonly boxTokens: { readonly below1000: string; readonly from1000: string };
}
