import { type SettingsError, ConfigError } from '@packhouse/base';
import { checkConfig, describeJsonFault, type ServerConfig } from '@packhouse/router';
import type { Settings } from '@packhouse/hosting';
import { StartError } from '../start-error.ts';

/**
 * Reads the text of a configuration file. `name` is how messages call it. Rules over origins and
 * remotes are checked when the service starts.
 *
 * @throws {StartError} kind `configuration`, naming the first wrong member with its path and what may stand there,
 *   and how many more there are.
 */
export function parseConfig(text: string, name: string): ServerConfig {
  let document: unknown;
  const json = text.replace(/^\uFEFF/, '');
  try {
    document = JSON.parse(json);
  } catch {
    throw new StartError(
      'configuration',
      // The engine's own text quotes the file, and so perhaps a token.
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
