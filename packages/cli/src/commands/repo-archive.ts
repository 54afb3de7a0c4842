import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { aboutRepo } from '../api/about-repo.ts';
import { connectionError, type Refused } from '../api/failure.ts';
import { apiOf, apiOptions, namespaceOption } from '../api/options.ts';
import type { Command } from '../command/command.ts';
import { CliError } from '../output/cli-error.ts';
import { printResult, shown } from '../output/print.ts';
import { repos } from './repo.ts';

const formats = ['tar.gz', 'tar', 'zip'];

export const repoArchiveCommand: Command = {
  words: ['repo', 'archive'],
  summary: 'Write the files of a branch, tag or commit to an archive',
  details: 'The archive has what "git archive" makes of the same revision. The file must be new.',
  arguments: [
    { name: 'NAME', description: 'the name of the repo' },
    { name: 'REF', description: 'a branch, tag, full ref name, HEAD or commit id' },
    { name: 'PATH', description: 'the only file or folder to take', optional: true },
  ],
  options: [
    { name: 'output', short: 'o', value: 'FILE', description: 'The file to write (default: NAME-REF.FORMAT)' },
    {
      name: 'format',
      value: 'FORMAT',
      choices: formats,
      description: 'The format (default: by the end of FILE, else tar.gz)',
    },
    { name: 'prefix', value: 'TEXT', description: 'Put before each path in the archive, such as notes/' },
    namespaceOption,
    ...apiOptions,
  ],
  examples: ['repo archive notes main', 'repo archive notes v1 docs -o docs.zip'],
  async run(invocation, io) {
    const [name, ref] = [invocation.argument('NAME'), invocation.argument('REF')];
    const output = invocation.text('output');
    const byName = formats.find((one) => output?.endsWith(`.${one}`));
    const format = invocation.text('format') ?? byName ?? 'tar.gz';
    const file = resolve(io.cwd, output ?? `${name}-${ref.replaceAll(/[^\w.-]/g, '-')}.${format}`);
    const about = aboutRepo(io, invocation.text('namespace') ?? '', name);
    const bytes = await apiOf(invocation, io).bytes({
      method: 'GET',
      path: [...repos(invocation), name, 'archive', `${ref}.${format}`],
      query: { path: invocation.optionalArgument('PATH'), prefix: invocation.text('prefix') },
      explain: (refused) => explained(refused, about.subject, ref, invocation.optionalArgument('PATH')),
      ...about,
    });
    let isMade = false;
    const target = createWriteStream(file, { flags: 'wx' }).once('open', () => {
      isMade = true;
    });
    try {
      await pipeline(Readable.fromWeb(bytes as Parameters<typeof Readable.fromWeb>[0]), target);
    } catch (error) {
      // Half an archive must not look like a whole one.
      if (isMade) await rm(file, { force: true });
      if (!isMade) throw notWritten(file, error);
      throw connectionError(error, { base: invocation.text('url') ?? '', program: io.program });
    }
    const result = { file, format, bytes: target.bytesWritten };
    printResult(invocation, io, result, () => `Wrote ${shown(ref)} of ${shown(name)} to ${file}\n`);
    return 0;
  },
};

/** Other things than the repo may be missing: their errors have the same code. */
export function explained(
  { error }: Refused,
  subject: string,
  ref: string,
  path: string | undefined,
): CliError | undefined {
  if (error.message === 'Ref not found')
    return new CliError(
      'refused',
      `The ${subject} has no branch, tag or commit "${ref}".`,
      'List them with "repo refs".',
    );
  if (error.message === 'File not found' || error.message === 'Tree not found')
    return new CliError(
      'refused',
      `"${ref}" has no file or folder "${path}".`,
      'Check the path; it begins at the root.',
    );
  return undefined;
}

function notWritten(file: string, error: unknown): CliError {
  const isThere = (error as { readonly code?: unknown }).code === 'EEXIST';
  const message = isThere ? `${file} exists already.` : `Cannot write ${file}: ${(error as Error).message}`;
  return new CliError('usage', message, 'Write another file with --output.');
}
