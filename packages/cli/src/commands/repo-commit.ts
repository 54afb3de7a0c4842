import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { aboutRepo } from '../api/about-repo.ts';
import type { Api } from '../api/client.ts';
import type { Refused } from '../api/failure.ts';
import { apiOf, apiOptions, namespaceOption } from '../api/options.ts';
import type { Command, Invocation } from '../command/command.ts';
import { CliError } from '../output/cli-error.ts';
import { printResult, shown } from '../output/print.ts';
import { repos } from './repo.ts';
import { people, signatureOf } from './repo-merge.ts';

/** The result of a commit, as far as it is printed (REPO-254). */
interface Committed {
  readonly commit: string;
  readonly ref: { readonly name: string };
  readonly paths: readonly string[];
  readonly truncated: boolean;
}

/** A change, as far as errors name it. */
interface PathChange {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
}

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
    const name = invocation.argument('NAME');
    const about = aboutRepo(io, invocation.text('namespace') ?? '', name);
    const path = [...repos(invocation), name];
    const api = apiOf(invocation, io);
    const changes: PathChange[] = [
      ...(moves ?? []).map(([from, to]) => ({ op: 'move', from, path: to })),
      ...invocation.texts('delete').map((one) => ({ op: 'delete', path: one })),
    ];
    const files: PathChange[] = [];
    for (const [to, file] of puts ?? []) {
      files.push({ op: 'put', path: to, ...(await contentOf(api, [...path, 'blobs'], about, resolve(io.cwd, file))) });
    }
    const wanted = [...changes, ...files];
    const branch =
      invocation.text('branch') ??
      ((await api.one({ method: 'GET', path, ...about })) as { readonly default_branch: string }).default_branch;
    const made = (await api.one({
      method: 'POST',
      path: [...path, 'commits'],
      body: {
        branch,
        from: invocation.text('from'),
        message,
        author,
        changes: wanted,
        ...expected(invocation),
      },
      explain: (refused) => explained(refused, { branch, from: invocation.text('from'), changes: wanted }),
      ...about,
    })) as Committed;
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

function expected(invocation: Invocation): { readonly expected_head?: string | null } {
  const head = invocation.text('expect');
  return head === undefined ? {} : { expected_head: head === 'none' ? null : head };
}

/** Returns the members of a change that hold the content of a file, which is uploaded if it is large. */
async function contentOf(
  api: Api,
  path: readonly string[],
  about: { readonly subject: string; readonly lookUp: string },
  file: string,
): Promise<object> {
  let [bytes, isExecutable] = [new Uint8Array(0), false];
  try {
    bytes = await readFile(file);
    isExecutable = ((await stat(file)).mode & 0o100) !== 0;
  } catch (error) {
    throw new CliError('usage', `Cannot read ${file}: ${(error as Error).message}`, 'Check the file of --put.');
  }
  const mode = isExecutable ? { mode: '100755' } : {};
  if (bytes.length <= inlineMax) return { content: Buffer.from(bytes).toString('base64'), encoding: 'base64', ...mode };
  const explain = ({ status }: Refused): CliError | undefined =>
    status === 413
      ? new CliError('refused', `${file} is too large for the service.`, 'Its operator may raise "blob_max".')
      : undefined;
  const { hash } = (await api.one({ method: 'POST', path, bytes, explain, ...about })) as { readonly hash: string };
  return { hash, ...mode };
}

function explained(
  { error }: Refused,
  {
    branch,
    from,
    changes,
  }: { readonly branch: string; readonly from: string | undefined; readonly changes: readonly PathChange[] },
): CliError | undefined {
  const [, number = '', member = ''] = /^\/changes\/(\d+)\/(path|from)$/.exec(error.source?.pointer ?? '') ?? [];
  const change = changes[Number(number)];
  if (number !== '' && change !== undefined) {
    return new CliError(
      'refused',
      `${shown(member === 'from' ? change.from : change.path)}: ${shown(error.message)}.`,
      'List the files with "repo ls --recursive". A path begins at the root of the repo, without "/", "./" or "..": --put PATH=FILE.',
    );
  }
  if (error.code === staleRef) {
    const head = error.details?.['head'];
    const state = typeof head === 'string' ? `is at ${shown(head)}` : 'does not exist';
    return new CliError('refused', `${shown(branch)} ${state}.`, 'Look at its changes, then expect that head.');
  }
  if (error.message !== 'Ref not found') return undefined;
  return new CliError('refused', `There is no "${shown(from)}".`, 'List branches and tags with "repo refs".');
}
