import { type SettingsError, ConfigError } from '@packhouse/base';
import { checkConfig, describeJsonFault, type ServerConfig } from '@packhouse/router';
import type { Settings } from '@packhouse/hosting';
import { StartError } from '../start-error.ts';

/**
 * Parses the text of a configuration file. Messages call the file `name`. The service checks rules about origins and
 * remotes when it starts.
 *
 * @throws {StartError} kind `configuration`. The message gives the path of the first wrong member, the values allowed
 *   there, and the number of further wrong members.
 */
export function parseConfig(text: string, name: string): ServerConfig {
  let document: unknown;
  const json = text.replace(/^\uFEFF/, '');
  try {
    document = JSON.parse(json);
  } catch {
    throw new StartError(
      'configuration',
      // The engine's own message quotes the file, which may hold a token.
      `${name} is not JSON ${describeJsonFault(json)}.`,
      'Mind that JSON has no comments and no comma after the last member.',
    );
  }
  try {
    return checkConfig(document);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new StartError('configuration', `${name}: ${error.message}.`, schemaHint);
  }
}

const schemaHint =
  'Every member is described in packages/server/schema/packhouse.config.schema.json; named as "$schema" in the file, editors check it.';

/** Makes the error of a setting that stops the start. */
export function settingsStartError(error: SettingsError, given: Partial<Settings>): StartError {
  return new StartError('configuration', `The setting ${error.message}.`, hintFor(error, given), { cause: error });
}

/** Most operators meet the rule about remotes when they open the server to other machines. */
function hintFor({ setting }: SettingsError, given: Partial<Settings>): string {
  return setting === 'remote_template' && given.remote_template === undefined
    ? 'Serve HTTPS with --tls-cert and --tls-key, or name the https origin of the proxy with --public-url.'
    : 'Correct it in the configuration file or on the command line.';
}
