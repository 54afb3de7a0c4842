/** A setting that stops the start. The message names it and says which rule it breaks. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly setting: string;

  constructor(setting: string, rule: string) {
    super(`${setting} ${rule}`);
    this.setting = setting;
  }
}
