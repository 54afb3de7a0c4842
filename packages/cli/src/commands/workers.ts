import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isAccountId } from '@packhouse/base';
import { neutral, version } from '@packhouse/hosting/dialects';
import { deploymentFiles } from '@packhouse/workers/deployment';
import { CliError, printResult, systemErrorCode, type Command, type Invocation } from '@packhouse/command';
import { dialectOption, jsonOption } from '../api/options.ts';

export const workersInitCommand: Command = {
  words: ['workers', 'init'],
  summary: 'Write a folder that deploys the service to Cloudflare Workers',
  details: `The folder has the configuration of wrangler, an entry of one line, and a README with the steps to take. It needs the Workers Paid plan. A folder that holds anything is refused.`,
  arguments: [{ name: 'DIR', description: 'The folder; it is made if it does not exist' }],
  options: [
    { name: 'name', value: 'NAME', description: 'Name of the Worker', default: 'packhouse' },
    {
      name: 'public-url',
      value: 'URL',
      description: 'Origin that clients will reach it at',
      default: 'https://packhouse.example.workers.dev',
    },
    { name: 'account', value: 'ID', description: 'The account to serve', default: 'local' },
    { ...dialectOption, default: neutral.name },
    jsonOption,
  ],
  examples: ['workers init my-git --public-url https://git.example.com'],
  async run(invocation, io) {
    const folder = resolve(io.cwd, invocation.argument('DIR'));
    const files = deploymentFiles({
      name: nameOf(invocation),
      publicUrl: originOf(invocation),
      account: accountOf(invocation),
      dialect: invocation.text('dialect') ?? neutral.name,
      version,
    });
    await writeAll(folder, files);
    const result = { folder, files: Object.keys(files) };
    printResult(invocation, io, result, () => `Wrote ${folder}. Its README.md says how to deploy it.\n`);
    return 0;
  },
};

/**
 * Returns the name of the Worker, which becomes part of a host name:
 * https://developers.cloudflare.com/workers/wrangler/configuration/
 */
function nameOf(invocation: Invocation): string {
  const name = invocation.text('name') ?? '';
  if (!/^[a-z0-9]([a-z0-9-]{0,52}[a-z0-9])?$/.test(name)) {
    throw new CliError(
      'usage',
      `--name cannot be "${name}".`,
      'Write up to 54 lower-case letters, digits and "-", none of these at an end.',
    );
  }
  return name;
}

function originOf(invocation: Invocation): string {
  const text = invocation.text('public-url') ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.origin !== text.replace(/\/$/, '')) {
    throw new CliError(
      'usage',
      `--public-url cannot be "${text}".`,
      'Write an https origin without a path, such as https://git.example.com.',
    );
  }
  return url.origin;
}

function accountOf(invocation: Invocation): string {
  const account = invocation.text('account') ?? '';
  if (!isAccountId(account)) {
    throw new CliError('usage', `--account cannot be "${account}".`, 'It is 1 to 64 letters, digits, "_" or "-".');
  }
  return account;
}

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0) {
      throw new CliError('refused', `The folder ${folder} is not empty.`, 'Choose another one, or empty it first.');
    }
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { flag: 'wx' });
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      'start',
      `The folder ${folder} cannot be written (${systemErrorCode(error) ?? 'unknown reason'}).`,
      'Choose another one.',
      { cause: error },
    );
  }
}
