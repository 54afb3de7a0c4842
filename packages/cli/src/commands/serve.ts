import { resolve } from 'node:path';
import { isAccountId } from '@packhouse/base';
import type { ServerConfig } from '@packhouse/server';
import { apiTokenForm } from '@packhouse/server/before-start';
import { CliError, type Command, type Invocation, type Io } from '@packhouse/command';
import { defaultDataFolder, dialectNamed, dialectOption } from '../api/options.ts';
import { currentProgram, runtimeNamed, runtimes } from '../runtimes/runtime.ts';
import type { ServePlaces } from '../runtimes/serve-places.ts';
import { databaseFiles, sharedStorageOf, sharedStorageOptions } from '../runtimes/shared-storage-of.ts';
import { startIn } from '../runtimes/start-in.ts';
import { configOption, readConfig, readText } from './read-config.ts';
import { openness, readyLine, readyText } from './ready.ts';
import { renewTls, type RenewTlsOptions } from './renew-tls.ts';
import { stopOnSignals } from './stop-on-signals.ts';

export const serveCommand: Command = {
  words: ['serve'],
  summary: 'Host repositories on this machine',
  details: `Everything is kept in one folder, which one server at a time may hold. With --database and --packs, any number of servers share a database and packs, and the folder has the cache of one server. The API token comes from PACKHOUSE_API_TOKEN; without a database, else one is made on the first start and kept in the folder. Logs are lines of JSON on standard error.`,
  arguments: [],
  options: [
    { name: 'host', value: 'ADDRESS', description: 'Address to listen on', default: '127.0.0.1' },
    { name: 'port', value: 'N', description: 'Port to listen on; 0 picks a free one', default: '8787' },
    { name: 'data', value: 'DIR', description: 'Folder of everything that is kept', default: `./${defaultDataFolder}` },
    ...sharedStorageOptions,
    {
      name: 'account',
      value: 'ID',
      description: 'The account to serve (default: the first of the configuration file, else local)',
    },
    {
      ...dialectOption,
      description: `${dialectOption.description} (default: that of the configuration file, else neutral)`,
    },
    {
      name: 'public-url',
      value: 'URL',
      description: 'Origin that clients reach the server at, if another one such as a proxy',
    },
    { name: 'tls-cert', value: 'FILE', description: 'Serve HTTPS with this PEM certificate' },
    { name: 'tls-key', value: 'FILE', description: 'The PEM key of the certificate' },
    configOption,
    {
      name: 'runtime',
      value: 'NAME',
      description: 'What to run on (default: what runs this command)',
      choices: Object.keys(runtimes),
    },
    { name: 'json', description: 'When ready, print one line of JSON and nothing else on standard output' },
  ],
  examples: [
    'serve',
    'serve --port 0 --data /srv/git --json',
    'serve --database postgres://packhouse@db.example.com/packhouse --packs s3://packs/main',
    'serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --public-url https://git.example.com:8787',
  ],

  async run(invocation, io) {
    const signals = stopOnSignals(io);
    let endRenewal: (() => void) | undefined;
    try {
      const configured = await configOf(invocation, io);
      const shared = sharedStorageOf(invocation, io, configured.config);
      const places = placesOf(invocation, io, { ...configured.config, ...shared });
      const { host, port, data } = places;
      const runtime = runtimeNamed(invocation.text('runtime'));
      const { program, load } = runtimes[runtime];
      if (program !== currentProgram()) startIn(program, invocation.words, places, io);
      const tls = tlsOf(invocation, io);
      const log = (entry: Readonly<Record<string, unknown>>): void => io.err(`${JSON.stringify(entry)}\n`);
      // Loaded on demand, so that commands that only call a server start fast.
      const serve = await load();
      const server = await serve({
        host,
        port,
        data,
        log,
        ...configured,
        ...(tls && { tls: tls.current }),
        ...apiTokenOf(io),
        ...publicUrlOf(invocation),
        ...shared,
      });
      const open = openness({ host, secure: tls !== undefined, url: server.url });
      if (invocation.flag('json')) {
        io.out(readyLine(server));
        for (const warning of open.warnings) {
          log({ time: new Date().toISOString(), level: 'warn', event: 'open', warning });
        }
      } else {
        const dialect = configured.dialect?.name ?? configured.config.dialect;
        const { database, packs } = { ...configured.config, ...shared };
        io.out(readyText(server, io, { dialect, database, packs, ...open }));
      }
      if (server.keptToken?.created === true && invocation.flag('json') && io.errIsTerminal) {
        io.err(`New API token, shown only now: ${server.keptToken.token}\n`);
      }
      endRenewal =
        tls &&
        renewTls({
          ...tls,
          renew: server.renewTls,
          log: (level, members) => log({ time: new Date().toISOString(), level, event: 'tls', ...members }),
        });
      return await signals.stopped(server, configured.config.shutdown_grace ?? 30);
    } finally {
      endRenewal?.();
      signals.release();
    }
  },
};

function placesOf(
  invocation: Invocation,
  io: Io,
  { packs, database }: Pick<ServerConfig, 'packs' | 'database'>,
): ServePlaces {
  const files = ['config', 'tls-cert', 'tls-key'].flatMap((option) => invocation.text(option) ?? []);
  return {
    host: invocation.text('host') ?? '',
    port: portOf(invocation.text('port') ?? ''),
    data: resolve(io.cwd, invocation.text('data') ?? ''),
    files: [...files.map((file) => resolve(io.cwd, file)), ...databaseFiles(database, io.cwd)],
    shared: packs === undefined ? undefined : { folder: packs.startsWith('s3:') ? undefined : packs },
  };
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new CliError(
      'usage',
      `--port cannot be "${text}".`,
      'Write a number from 1 to 65535, or 0 for any free port.',
    );
  }
  return port;
}

/** Returns the configuration: the file, overridden by the command line. */
async function configOf(
  invocation: Invocation,
  io: Io,
): Promise<{ config: ServerConfig; account?: string; dialect?: NonNullable<ReturnType<typeof dialectNamed>> }> {
  let config = await readConfig(invocation, io);
  const account = invocation.text('account');
  if (account !== undefined && !isAccountId(account)) {
    throw new CliError('usage', `--account cannot be "${account}".`, 'It is 1 to 64 letters, digits, "_" or "-".');
  }
  const { accounts } = config.settings;
  if (account !== undefined && Array.isArray(accounts)) {
    // The account of the command line comes first, so the server announces that one.
    config = {
      ...config,
      settings: { ...config.settings, accounts: [account, ...accounts.filter((one: string) => one !== account)] },
    };
  }
  const dialect = dialectNamed(invocation.text('dialect'));
  return { config, ...(account === undefined ? {} : { account }), ...(dialect === undefined ? {} : { dialect }) };
}

/** Returns the certificate and key with the paths of their files. */
function tlsOf(invocation: Invocation, io: Io): Pick<RenewTlsOptions, 'current' | 'files'> | undefined {
  const cert = invocation.text('tls-cert');
  const key = invocation.text('tls-key');
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new CliError(
      'usage',
      `--tls-${cert === undefined ? 'cert' : 'key'} is missing.`,
      'Give both --tls-cert FILE and --tls-key FILE, or none.',
    );
  }
  const files = { cert: resolve(io.cwd, cert), key: resolve(io.cwd, key) };
  return { files, current: { cert: readText(files.cert, 'tls'), key: readText(files.key, 'tls') } };
}

function apiTokenOf(io: Io): { apiToken?: string } {
  const token = io.env['PACKHOUSE_API_TOKEN'];
  if (token === undefined || token === '') return {};
  if (!apiTokenForm.test(token)) {
    throw new CliError(
      'start',
      'PACKHOUSE_API_TOKEN holds no fit API token.',
      'Use at least 16 letters and digits, or unset it: a server without --database makes and keeps one.',
    );
  }
  return { apiToken: token };
}

function publicUrlOf(invocation: Invocation): { publicUrl?: string } {
  const publicUrl = invocation.text('public-url');
  if (publicUrl === undefined) return {};
  const url = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || /[?#@]/.test(publicUrl)) {
    throw new CliError(
      'usage',
      `--public-url cannot be "${publicUrl}".`,
      'Write an origin such as https://git.example.com, with a path if a proxy passes that on.',
    );
  }
  return { publicUrl };
}
