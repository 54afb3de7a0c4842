import { open, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { BodyOf, PackhouseError } from '@packhouse/client';
import { CliError, printResult, shown, type Command } from '@packhouse/command';
import { repoOf, type NamedRepo } from '../api/api.ts';
import { dropUndefined } from '../api/drop-undefined.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';
import { people, signatureOf } from './repo-merge.ts';

type Change = NonNullable<BodyOf<'createCommit'>['changes']>[number];

/** Bytes of a file that is part of the request; larger ones are uploaded before. */
const inlineMax = 65_536;
/** The error code for another head (REPO-247). */
const staleRef = 10204;

export const repoCommitCommand: Command = {
  words: ['repo', 'commit'],
  summary: 'Commit files from here to a branch, without a clone',
  details: 'Moves come first, then deletions, then files. PATH alone is the same as PATH=PATH.',
  arguments: [{ name: 'NAME', description: 'the name of the repo' }],
  options: [
    { name: 'put', value: 'PATH=FILE', repeatable: true, description: 'Put a file of this computer at a path' },
    { name: 'delete', value: 'PATH', repeatable: true, description: 'Delete a file, or a folder with its files' },
    { name: 'move', value: 'FROM=PATH', repeatable: true, description: 'Move a file or folder' },
    { name: 'message', short: 'm', value: 'TEXT', description: 'The message' },
    { name: 'branch', value: 'BRANCH', description: 'The branch, made if it is new (default: the default branch)' },
    { name: 'from', value: 'REF', description: 'Where a new branch begins (default: the default branch)' },
    { name: 'expect', value: 'HASH', description: 'The head that the branch must have; "none": it must be new' },
    ...people,
    namespaceOption,
    ...apiOptions,
  ],
  examples: [
    'repo commit notes -m Plan --put docs/plan.md=plan.md',
    'repo commit notes -m Tidy --branch tidy --move old.md=new.md --delete drafts',
  ],
  async run(invocation, io) {
    const message = invocation.text('message');
    if (message === undefined) throw new CliError('usage', 'A commit needs a message.', 'Give -m TEXT.');
    const [moves, puts] = ['move', 'put'].map((option) => invocation.texts(option).map((text) => pairOf(option, text)));
    if (['put', 'delete', 'move'].every((option) => invocation.texts(option).length === 0)) {
      throw new CliError('usage', 'There is nothing to commit.', 'Give --put, --delete or --move.');
    }
    const author = signatureOf(invocation);
    const named = repoOf(invocation, io);
    const changes: Change[] = [
      ...(moves ?? []).map(([from, path]) => ({ op: 'move', from, path }) as const),
      ...invocation.texts('delete').map((path) => ({ op: 'delete', path }) as const),
    ];
    for (const [path, file] of puts ?? []) {
      changes.push({ op: 'put', path, ...(await contentOf(named, resolve(io.cwd, file))) });
    }
    const { repo, settle } = named;
    const branch = invocation.text('branch') ?? (await settle(repo.info())).default_branch;
    const from = invocation.text('from');
    const head = invocation.text('expect');
    const commit = dropUndefined({
      branch,
      from,
      message,
      author,
      changes,
      expected_head: head === 'none' ? null : head,
    });
    const made = await settle(repo.commit(commit), { explain: (error) => explained(error, { branch, from, changes }) });
    printResult(invocation, io, made, () => {
      const count = made.truncated ? `over ${made.paths.length}` : String(made.paths.length);
      return `${shown(branch)} is at ${shown(made.commit)} now. Changed files: ${count}.\n`;
    });
    return 0;
  },
};

/** @throws {CliError} kind `usage` for an empty side. */
function pairOf(option: string, text: string): readonly [string, string] {
  const at = text.indexOf('=');
  const [left, right] = at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 1)];
  if (left !== '' && right !== '' && (at >= 0 || option === 'put')) return [left, right];
  throw new CliError('usage', `--${option} cannot be "${text}".`, 'Write both paths, with "=" between them.');
}

/** Returns the members of a change that hold the content of a file, which is uploaded if it is large. */
async function contentOf({ repo, settle }: NamedRepo, file: string): Promise<Omit<Change, 'op' | 'path'>> {
  let content: Buffer<ArrayBuffer> | ReadableStream<Uint8Array>;
  let isExecutable: boolean;
  try {
    const status = await stat(file);
    isExecutable = (status.mode & 0o100) !== 0;
    const isLarge = status.isFile() && status.size > inlineMax;
    content = isLarge
      ? (Readable.toWeb((await open(file)).createReadStream()) as unknown as ReadableStream<Uint8Array>)
      : await readFile(file);
  } catch (error) {
    throw new CliError('usage', `Cannot read ${file}: ${(error as Error).message}`, 'Check the file of --put.');
  }
  const mode = isExecutable ? ({ mode: '100755' } as const) : {};
  if (Buffer.isBuffer(content) && content.length <= inlineMax)
    return { content: content.toString('base64'), encoding: 'base64', ...mode };
  const { hash } = await settle(repo.writeBlob(content), {
    explain: ({ status }) =>
      status === 413
        ? new CliError('refused', `${file} is too large for the service.`, 'Its operator may raise "blob_max".')
        : undefined,
  });
  return { hash, ...mode };
}

function explained(
  { code, reason, details, errors: [item] }: PackhouseError,
  {
    branch,
    from,
    changes,
  }: { readonly branch: string; readonly from: string | undefined; readonly changes: readonly Change[] },
): CliError | undefined {
  const [, number = '', member = ''] = /^\/changes\/(\d+)\/(path|from)$/.exec(item?.source?.pointer ?? '') ?? [];
  const change = changes[Number(number)];
  if (number !== '' && change !== undefined) {
    return new CliError(
      'refused',
      `${shown(member === 'from' ? change.from : change.path)}: ${shown(item?.message)}.`,
      'List the files with "repo ls --recursive". A path begins at the root of the repo, without "/", "./" or "..": --put PATH=FILE.',
    );
  }
  if (code === staleRef) {
    const head = (details as { readonly head?: unknown } | undefined)?.head;
    const state = typeof head === 'string' ? `is at ${shown(head)}` : 'does not exist';
    return new CliError('refused', `${shown(branch)} ${state}.`, 'Look at its changes, then expect that head.');
  }
  if (reason !== 'ref_not_found') return undefined;
  return new CliError('refused', `There is no "${shown(from)}".`, 'List branches and tags with "repo refs".');
}
