import { MockOptionsError } from './origin.ts';

/** Settings that an option of mocks replaces, with the name of the option. */
const ofOptions: Readonly<Record<string, string>> = { public_url: 'baseUrl', accounts: 'account', zones: 'zones' };

/**
 * Checks the settings. JavaScript callers may pass settings that the types forbid, and a mock would ignore them.
 *
 * @param known the settings that exist; needed if unknown ones are not refused elsewhere.
 * @throws {MockOptionsError} for a setting that the mock would ignore.
 */
export function checkSettings(settings: object = {}, known: readonly string[] = Object.keys(settings)): void {
  for (const name of Object.keys(settings)) {
    const option = Object.hasOwn(ofOptions, name) ? ofOptions[name] : undefined;
    if (option !== undefined) throw new MockOptionsError(`settings.${name}: a mock has the option ${option} for it`);
    if (!known.includes(name)) {
      throw new MockOptionsError(`settings.${name}: there is no such setting; there are ${known.join(', ')}`);
    }
  }
}
