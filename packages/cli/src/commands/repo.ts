import type { QueryOf, ResultOf } from '@packhouse/client';
import { CliError, fields, printResult, quoted, shellWord, shown, table, type Command } from '@packhouse/command';
import { all, apiOf, repoOf } from '../api/api.ts';
import { alreadyExists } from '../api/failure.ts';
import { dropUndefined } from '../api/drop-undefined.ts';
import { apiOptions, namespaceOption } from '../api/options.ts';
import { confirm, yesOption } from './confirm.ts';

type RepoQuery = QueryOf<'listRepos'>;
/** The members of a new repo that its user needs. */
export type CreatedRepo = Pick<ResultOf<'createRepo'>, 'name' | 'default_branch' | 'remote' | 'token'>;

/** The error code for a repo that does not exist (REPO-167). */
const notFound = 10200;

const name = { name: 'NAME', description: 'the name of the repo' };
const options = [namespaceOption, ...apiOptions];

/** Returns the next steps for a new repo, ready to paste. A variable holds the token, so that it is never committed. */
export function welcome({ name: repo, default_branch, remote, token }: CreatedRepo, readOnly: boolean): string {
  const where = shellWord(shown(remote));
  const push = `  git -c http.extraHeader="Authorization: Bearer $TOKEN" push ${where} ${shellWord(`HEAD:refs/heads/${shown(default_branch)}`)}\n`;
  return `${fields([
    ['Made repo', repo],
    ['remote', remote],
    ['token', `${shown(token)}   (for Git${readOnly ? '' : ', may write'}; shown only now)`],
  ])}
${readOnly ? 'It is read-only, so it takes no push. Clone it:' : 'Push to it from a repository, then clone it:'}

  TOKEN=${quoted(shown(token))}
${readOnly ? '' : push}  git -c http.extraHeader="Authorization: Bearer $TOKEN" clone ${where}
`;
}

export const repoCommands: readonly Command[] = [
  {
    words: ['repo', 'create'],
    summary: 'Make an empty repo, and a token to push to it',
    arguments: [name],
    options: [
      { name: 'description', value: 'TEXT', description: 'What it is for' },
      { name: 'default-branch', value: 'NAME', description: 'The branch that a clone checks out', default: 'main' },
      { name: 'read-only', description: 'Refuse every push' },
      ...options,
    ],
    examples: ['repo create notes', 'repo create notes --namespace team --default-branch trunk'],
    async run(invocation, io) {
      const readOnly = invocation.flag('read-only');
      const result = await repoOf(invocation, io).create(
        dropUndefined({
          description: invocation.text('description'),
          default_branch: invocation.text('default-branch'),
          read_only: readOnly,
        }),
      );
      printResult(invocation, io, result, () => welcome(result, readOnly));
      return 0;
    },
  },
  {
    words: ['repo', 'fork'],
    summary: 'Make a repo with the history of another, and a token to push to it',
    details: 'The new repo is in the same namespace. Changes to one of them do not show in the other.',
    arguments: [name, { name: 'NEW', description: 'the name of the new repo' }],
    options: [
      { name: 'description', value: 'TEXT', description: 'What it is for' },
      { name: 'all', description: 'Take every branch and tag (default: the default branch alone)' },
      { name: 'read-only', description: 'Refuse every push' },
      ...options,
    ],
    examples: ['repo fork notes notes-try', 'repo fork notes notes-kept --all --read-only'],
    async run(invocation, io) {
      const readOnly = invocation.flag('read-only');
      const source = repoOf(invocation, io);
      const name = invocation.argument('NEW');
      const made = repoOf(invocation, io, name);
      const forked = source.repo.fork(
        dropUndefined({
          name,
          description: invocation.text('description'),
          read_only: readOnly,
          default_branch_only: !invocation.flag('all'),
        }),
      );
      const result = await made.settle(forked, {
        spelling: made.spelling,
        // The repo that is missing may be the source or the target.
        explain: ({ status, code }) =>
          status === 404 && code === notFound
            ? new CliError('refused', `There is no ${source.subject}.`, source.lookUp)
            : undefined,
      });
      printResult(invocation, io, result, () => welcome(result, readOnly));
      return 0;
    },
  },
  {
    words: ['repo', 'list'],
    summary: 'List the repos of a namespace',
    arguments: [],
    options: [
      { name: 'search', value: 'TEXT', description: 'Only names that contain it' },
      {
        name: 'sort',
        value: 'FIELD',
        choices: ['created_at', 'updated_at', 'last_push_at', 'name'],
        description: 'What to sort by',
        default: 'created_at',
      },
      {
        name: 'direction',
        value: 'WAY',
        choices: ['asc', 'desc'],
        description: 'Which end comes first',
        default: 'desc',
      },
      ...options,
    ],
    examples: ['repo list', 'repo list --sort name --direction asc --json'],
    async run(invocation, io) {
      const { client, settle } = apiOf(invocation, io);
      const query = dropUndefined({
        limit: 200,
        search: invocation.text('search'),
        sort: invocation.text('sort') as RepoQuery['sort'],
        direction: invocation.text('direction') as RepoQuery['direction'],
      });
      const listed = all(client.repos(invocation.text('namespace') ?? '').list(query));
      const rows = await settle(listed, {
        subject: `namespace "${invocation.text('namespace')}"`,
        lookUp: `"${io.program} namespace list" shows the namespaces.`,
      });
      printResult(invocation, io, rows, (screen) =>
        table(
          ['REPO', 'STATUS', 'LAST PUSH', 'REMOTE'],
          rows.map((row) => [shown(row.name), shown(row.status), shown(row.last_push_at), shown(row.remote)]),
          `There are no repos in namespace ${shown(invocation.text('namespace'))}.`,
          screen,
        ),
      );
      return 0;
    },
  },
  {
    words: ['repo', 'get'],
    summary: 'Show a repo',
    arguments: [name],
    options,
    examples: ['repo get notes'],
    async run(invocation, io) {
      const { repo, settle } = repoOf(invocation, io);
      const result = await settle(repo.info());
      printResult(invocation, io, result, () => fields(Object.entries(result)));
      return 0;
    },
  },
  {
    words: ['repo', 'refs'],
    summary: 'List the branches, tags and other refs of a repo',
    details: 'An annotated tag also shows the object that it leads to.',
    arguments: [name],
    options: [
      { name: 'prefix', value: 'TEXT', description: 'Only full names that begin with it, such as refs/heads/' },
      ...options,
    ],
    examples: ['repo refs notes', 'repo refs notes --prefix refs/tags/ --json'],
    async run(invocation, io) {
      const { repo, settle } = repoOf(invocation, io);
      const rows = await settle(all(repo.listRefs(dropUndefined({ limit: 200, prefix: invocation.text('prefix') }))));
      printResult(invocation, io, rows, (screen) =>
        table(
          ['REF', 'OBJECT', 'KIND', 'LEADS TO'],
          rows.map((row) => [shown(row.name), shown(row.hash), shown(row.kind), shown(row.peeled)]),
          'There are no such refs.',
          screen,
        ),
      );
      return 0;
    },
  },
  {
    words: ['repo', 'update'],
    summary: 'Change the name, description, default branch or read-only flag of a repo',
    details: 'A new name frees the old one at once. Tokens, tags and forks follow; clones need the new URL.',
    arguments: [name],
    options: [
      {
        name: 'description',
        value: 'TEXT',
        mayBeEmpty: true,
        description: 'What it is for; an empty text for nothing',
      },
      { name: 'default-branch', value: 'BRANCH', description: 'The branch that a clone checks out' },
      { name: 'read-only', description: 'Refuse every push' },
      { name: 'writable', description: 'Take pushes again' },
      { name: 'rename', value: 'NEW', description: 'The new name' },
      ...options,
    ],
    examples: ['repo update notes --rename plans', 'repo update notes --default-branch trunk --read-only'],
    async run(invocation, io) {
      const [readOnly, writable] = [invocation.flag('read-only'), invocation.flag('writable')];
      if (readOnly && writable)
        throw new CliError(
          'usage',
          'A repo is either read-only or writable.',
          'Give --read-only or --writable, not both.',
        );
      const description = invocation.text('description');
      const changes = dropUndefined({
        name: invocation.text('rename'),
        description: description === '' ? null : description,
        default_branch: invocation.text('default-branch'),
        read_only: readOnly || writable ? readOnly : undefined,
      });
      if (Object.keys(changes).length === 0) {
        throw new CliError(
          'usage',
          'There is nothing to change.',
          'Give --description, --default-branch, --read-only, --writable or --rename.',
        );
      }
      const { repo, settle } = repoOf(invocation, io);
      const result = await settle(repo.update(changes), {
        explain: ({ code }) =>
          code === alreadyExists
            ? new CliError(
                'refused',
                `There is already a repo ${JSON.stringify(changes.name)}.`,
                'Choose another name.',
              )
            : undefined,
      });
      printResult(invocation, io, result, () => fields(Object.entries(result)));
      return 0;
    },
  },
  {
    words: ['repo', 'delete'],
    summary: 'Delete a repo with all its history and tokens',
    details: 'Asks on the terminal before it deletes anything.',
    arguments: [name],
    options: [yesOption, ...options],
    examples: ['repo delete notes', 'repo delete notes --yes'],
    async run(invocation, io) {
      const { repo, settle, subject } = repoOf(invocation, io);
      await confirm(
        invocation,
        io,
        `Delete the ${subject} at ${invocation.text('url')}, with all its history and tokens?`,
      );
      const result = await settle(repo.delete());
      printResult(invocation, io, result, () => `Deleted repo ${shown(invocation.argument('NAME'))}.\n`);
      return 0;
    },
  },
];
