import { settingRules, type Settings } from '@packhouse/hosting';
import { StartError } from '../start-error.ts';
import { isRecord, problemsOf } from './check.ts';
import { configType } from './members.ts';
import { orderProblem } from './order.ts';

/** One API token of the configuration file: exactly one of `token` and `token_sha256` is there. */
export interface ApiTokenEntry {
  readonly token?: string;
  /** 64 lower-case hexadecimal digits. */
  readonly token_sha256?: string;
  readonly account: string;
  readonly permissions: readonly ('read' | 'edit')[];
}

/** A checked configuration file; every member may be absent. */
export interface ServerConfig {
  readonly dialect?: 'neutral' | 'cloudflare';
  readonly api_tokens?: readonly ApiTokenEntry[];
  /** Seconds that requests may still run after the server was told to stop. Default 30. */
  readonly shutdown_grace?: number;
  /** The settings of the service. */
  readonly settings: Partial<Settings>;
}

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
  const [first, ...others] = problemsOf(configType, document);
  if (first !== undefined || !isRecord(document)) {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    throw new StartError('configuration', `${name}: ${first ?? 'no object'}${more}.`, schemaHint);
  }
  const host: Record<string, unknown> = {};
  const settings: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(document)) {
    if (member !== '$schema') (Object.hasOwn(settingRules, member) ? settings : host)[member] = value;
  }
  const disorder = orderProblem(settings);
  if (disorder !== undefined) throw new StartError('configuration', `${name}: ${disorder}.`, schemaHint);
  // The check above has seen every member.
  return { ...host, settings } as ServerConfig;
}

const schemaHint =
  'Every member is described in packages/server/schema/packhouse.config.schema.json; named as "$schema" in the file, editors check it.';

/** Line and column alone: the engine's own text quotes the file, and so perhaps a token. */
function position(error: unknown): string {
  const found = /line (\d+) column (\d+)/.exec(error instanceof Error ? error.message : '');
  return found === null ? '' : ` (line ${found[1]}, column ${found[2]})`;
}
