import { MockOptionsError } from './origin.ts';

/** Settings that a mock has options in place of. */
const ofOptions: Readonly<Record<string, string>> = { public_url: 'baseUrl', accounts: 'account', zones: 'zones' };

/**
 * From JavaScript there may be settings that types refuse: a mock would pass them over.
 *
 * @param known those that there are, if others are not refused anyway.
 * @throws {MockOptionsError} for one that would be passed over.
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
