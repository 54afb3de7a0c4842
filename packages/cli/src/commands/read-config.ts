import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ServerConfig } from '@packhouse/server';
import { systemErrorCode } from '@packhouse/command';
import { StartError } from '@packhouse/server/before-start';
import type { Invocation, Io, OptionSpec } from '@packhouse/command';

export const configOption: OptionSpec = {
  name: 'config',
  value: 'FILE',
  description: 'Every other setting and limit, and API tokens, as JSON',
};

/**
 * Reads the configuration file that the command line names. Without one, returns an empty configuration.
 *
 * @throws {StartError} kind `configuration`.
 */
export async function readConfig(invocation: Invocation, io: Io): Promise<ServerConfig> {
  const file = invocation.text(configOption.name);
  if (file === undefined) return { settings: {} };
  const { parseConfig } = await import('@packhouse/server');
  return parseConfig(readText(resolve(io.cwd, file), 'configuration'), file);
}

/**
 * Reads a file that the command line names.
 *
 * @throws {StartError} of that kind if it cannot be read.
 */
export function readText(file: string, kind: 'configuration' | 'tls'): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = systemErrorCode(error);
    const reason =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'EISDIR'
          ? 'is a folder'
          : `cannot be read (${code ?? 'unknown reason'})`;
    throw new StartError(
      kind,
      `The file ${file} ${reason}.`,
      `Check the path after --${kind === 'tls' ? 'tls-cert and --tls-key' : 'config'}.`,
      { cause: error },
    );
  }
}
