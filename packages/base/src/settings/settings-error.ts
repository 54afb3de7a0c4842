/** An invalid setting, which prevents the start. The message names the setting and the rule that it violates. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly setting: string;

  constructor(setting: string, rule: string) {
    super(`${setting} ${rule}`);
    this.setting = setting;
  }
}
