import { resolve } from 'node:path';
import type { BucketAccess, HostOptions, ServerConfig } from '@packhouse/server';
import { CliError, shown, type Invocation, type Io, type OptionSpec } from '@packhouse/command';

/** Options of commands that open a database and packs which several servers share. */
export const sharedStorageOptions: readonly OptionSpec[] = [
  {
    name: 'database',
    value: 'URL',
    description:
      'Keep everything but packs in PostgreSQL, for one or more servers (default with --packs: DATABASE_URL)',
  },
  {
    name: 'packs',
    value: 'PLACE',
    description:
      'Where packs are beside a database: s3://BUCKET/PREFIX, or the absolute path of a folder that all servers mount',
  },
];

/** Environment variables that {@link sharedStorageOf} reads. */
export const sharedStorageVariables = [
  'DATABASE_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_ENDPOINT_URL_S3',
  'AWS_ENDPOINT_URL',
  'AWS_S3_ADDRESSING_STYLE',
] as const;

/**
 * Returns the shared storage of the command line and the environment, which go before the configuration. `DATABASE_URL`
 * may be meant for another program, so it counts only beside a place for packs.
 *
 * @throws {CliError} kind `usage` for an addressing style that S3 does not have.
 */
export function sharedStorageOf(
  invocation: Invocation,
  { env }: Pick<Io, 'env'>,
  config: ServerConfig,
): Pick<HostOptions, 'database' | 'packs' | 'bucketAccess'> {
  const packs = invocation.text('packs') ?? config.packs;
  const database = invocation.text('database') ?? (packs === undefined ? undefined : valueOf(env, 'DATABASE_URL'));
  // Deno allows these variables only beside a shared storage.
  const bucketAccess = packs?.startsWith('s3:') === true ? accessOf(env) : undefined;
  return {
    ...(database !== undefined && { database }),
    ...(packs !== undefined && { packs }),
    ...(bucketAccess !== undefined && { bucketAccess }),
  };
}

/** Returns the absolute paths of the certificates and the key that the URL of a database names. */
export function databaseFiles(database: string | undefined, cwd: string): readonly string[] {
  if (database === undefined || !URL.canParse(database)) return [];
  const { searchParams } = new URL(database);
  const files = ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => searchParams.get(name) ?? []);
  return files.map((file) => resolve(cwd, file));
}

function accessOf(env: Io['env']): BucketAccess | undefined {
  const [accessKeyId, secretAccessKey] = [valueOf(env, 'AWS_ACCESS_KEY_ID'), valueOf(env, 'AWS_SECRET_ACCESS_KEY')];
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: valueOf(env, 'AWS_SESSION_TOKEN'),
    region: valueOf(env, 'AWS_REGION') ?? valueOf(env, 'AWS_DEFAULT_REGION'),
    endpoint: valueOf(env, 'AWS_ENDPOINT_URL_S3') ?? valueOf(env, 'AWS_ENDPOINT_URL'),
    // AWS reads `s3.addressing_style` from a file. Other tools read this variable, with the same values.
    addressing: addressingOf(valueOf(env, 'AWS_S3_ADDRESSING_STYLE')),
  };
}

function addressingOf(given: string | undefined): BucketAccess['addressing'] {
  const styles = ['auto', 'path', 'virtual'] as const;
  const style = styles.find((one) => one === given);
  if (given !== undefined && style === undefined)
    throw new CliError('usage', `AWS_S3_ADDRESSING_STYLE is "${shown(given)}".`, `It is one of ${styles.join(', ')}.`);
  return style;
}

/** An empty variable counts as absent, as in the tools of AWS. */
function valueOf(env: Io['env'], name: (typeof sharedStorageVariables)[number]): string | undefined {
  return env[name] === '' ? undefined : env[name];
}
