/** Custom Error Rules, Error Pages or assets that are refused. The message names what and the member (ERR-108). */
export class CustomErrorsError extends Error {
  override readonly name: string = 'CustomErrorsError';
  /** Such as `rule maintenance`, `page 500_errors` or `asset logo`; a rule without a proper id by its place: `rule 3`. */
  readonly subject: string;
  /** Such as `when.headers[0].op`; empty if it is about the whole. */
  readonly member: string;

  constructor(subject: string, member: string, rule: string) {
    super(`${subject}: ${member === '' ? '' : `${member} `}${rule}`);
    this.subject = subject;
    this.member = member;
  }
}
