/** An invalid option of a host application. The message names it. */
export class PlatformErrorOptionsError extends Error {
  override readonly name: string = 'PlatformErrorOptionsError';
  readonly option: string;

  constructor(option: string, rule: string) {
    super(`${option} ${rule}`);
    this.option = option;
  }
}
