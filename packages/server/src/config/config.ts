import { checkConfig, ConfigError, type ServerConfig } from '@packhouse/hosting';
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
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new StartError(
      'configuration',
      `${name} is not JSON${position(error)}.`,
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

/** Line and column alone: the engine's own text quotes the file, and so perhaps a token. */
function position(error: unknown): string {
  const found = /line (\d+) column (\d+)/.exec(error instanceof Error ? error.message : '');
  return found === null ? '' : ` (line ${found[1]}, column ${found[2]})`;
}
