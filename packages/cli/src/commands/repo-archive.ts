import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PackhouseError } from '@packhouse/client';
import { CliError, printResult, shown, writeStream, type Command } from '@packhouse/command';
import { receive, repoOf } from '../api/api.ts';
import { dropUndefined } from '../api/drop-undefined.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';

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
    const path = invocation.optionalArgument('PATH');
    const { repo, settle, subject } = repoOf(invocation, io);
    const query = dropUndefined({ path, prefix: invocation.text('prefix') });
    const target = openNew(file);
    try {
      const archive = await settle(repo.archive(`${ref}.${format}`, query), {
        explain: (error) => explained(error, subject, ref, path),
      });
      await receive(archive, (bytes) => writeStream(bytes, (piece) => writeSync(target, piece), file), invocation, io);
    } catch (error) {
      // Half an archive must not look like a whole one.
      rmSync(file, { force: true });
      throw error;
    } finally {
      closeSync(target);
    }
    const result = { file, format, bytes: statSync(file).size };
    printResult(invocation, io, result, () => `Wrote ${shown(ref)} of ${shown(name)} to ${file}\n`);
    return 0;
  },
};

/** Other things than the repo may be missing: their errors have the same code. */
export function explained(
  { reason }: PackhouseError,
  subject: string,
  ref: string,
  path: string | undefined,
): CliError | undefined {
  if (reason === 'ref_not_found')
    return new CliError(
      'refused',
      `The ${subject} has no branch, tag or commit "${ref}".`,
      'List them with "repo refs".',
    );
  if (reason === 'file_not_found' || reason === 'tree_not_found')
    return new CliError(
      'refused',
      `"${ref}" has no file or folder "${path}".`,
      'Check the path; it begins at the root.',
    );
  return undefined;
}

/** @throws {CliError} kind `usage` if the file exists, or cannot be made. */
function openNew(file: string): number {
  try {
    return openSync(file, 'wx');
  } catch (error) {
    const isThere = (error as { readonly code?: unknown }).code === 'EEXIST';
    const message = isThere ? `${file} exists already.` : `Cannot write ${file}: ${(error as Error).message}`;
    throw new CliError('usage', message, 'Write another file with --output.');
  }
}
