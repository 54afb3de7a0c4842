/** Invalid Custom Error Rules, Error Pages or assets. The message names the subject and the member (ERR-108). */
export class CustomErrorsError extends Error {
  override readonly name: string = 'CustomErrorsError';
  /**
   * `rule maintenance`, `page 500_errors`, `asset logo` or similar. A rule without a valid id is named by its position:
   * `rule 3`.
   */
  readonly subject: string;
  /** Path such as `when.headers[0].op`; empty if the whole subject is invalid. */
  readonly member: string;

  constructor(subject: string, member: string, rule: string) {
    super(`${subject}: ${member === '' ? '' : `${member} `}${rule}`);
    this.subject = subject;
    this.member = member;
  }
}
