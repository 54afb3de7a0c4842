import type { Settings } from '@packhouse/hosting';
import type { SettingsError } from '@packhouse/base';
import { StartError } from '../start-error.ts';

/** A setting that stops the start, for people. */
export function settingsStartError(error: SettingsError, given: Partial<Settings>): StartError {
  return new StartError('configuration', `The setting ${error.message}.`, hintFor(error, given), { cause: error });
}

/** Most who meet the rule on remotes have only opened the server to others. */
function hintFor({ setting }: SettingsError, given: Partial<Settings>): string {
  return setting === 'remote_template' && given.remote_template === undefined
    ? 'Serve HTTPS with --tls-cert and --tls-key, or name the https origin of the proxy with --public-url.'
    : 'Correct it in the configuration file or on the command line.';
}
