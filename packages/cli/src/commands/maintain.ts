import { resolve } from 'node:path';
import {
  CliError,
  exitCodes,
  printResult,
  shown,
  startProgress,
  table,
  type Command,
  type Progress,
  type Screen,
} from '@packhouse/command';
import type { SharedStorage } from '@packhouse/server/shared-storage';
import { accountOption, defaultDataFolder, namespaceOption } from '../api/options.ts';
import type { RepoOutcome, Wanted } from '../data-folder/maintain-folder.ts';
import type { Change, MaintainRepoOptions } from '../data-folder/maintain-repo.ts';
import { sharedStorageOptions } from '../runtimes/shared-storage-of.ts';
import { sharedStorageNamed } from './shared-storage-named.ts';
import { configOption, readConfig } from './read-config.ts';

export const maintainCommand: Command = {
  words: ['maintain'],
  summary: 'Merge packs and collect unreachable objects of a data folder that no server holds, or of a database',
  details: `A running server does this by itself. Merges small packs into few, leaves out what no ref has reached for "gc_grace" seconds (of --config, else as "serve" has it), and removes packs that were replaced and left-overs of dead pushes. It may be interrupted at any time. Servers of a database may run meanwhile: they take turns with the command, and replaced packs stay for them.
Exits with ${exitCodes.unsound} if a repo could not be maintained; the others are maintained all the same.`,
  arguments: [
    { name: 'REPO', description: 'the name of the repo; without it, all repos of the folder', optional: true },
  ],
  options: [
    { name: 'full', description: 'Merge everything into one pack, which makes clones cheapest and rewrites all bytes' },
    { name: 'compact', description: 'Also rewrite the database without free space; needs room for two copies' },
    { name: 'data', value: 'DIR', description: 'The data folder', default: `./${defaultDataFolder}` },
    ...sharedStorageOptions,
    { ...namespaceOption, description: 'The namespace of REPO' },
    { ...accountOption, description: 'The account of REPO' },
    { ...configOption, description: 'The configuration file of the server' },
    { name: 'json', description: 'Print what was done as one line of JSON' },
  ],
  examples: [
    'maintain',
    'maintain notes --full',
    'maintain --compact',
    'maintain --data /srv/git --config packhouse.json --json',
  ],
  async run(invocation, io) {
    const path = resolve(io.cwd, invocation.text('data') ?? '');
    const name = invocation.optionalArgument('REPO');
    if (name === undefined && invocation.words.some((word) => /^--(namespace|account)(=|$)/.test(word))) {
      const hint = 'Name the repo, or leave both options out to maintain all repos of the folder.';
      throw new CliError('usage', 'The options --namespace and --account need the name of a repo.', hint);
    }
    const place = { account: invocation.text('account') ?? '', namespace: invocation.text('namespace') ?? '' };
    const { settings } = await readConfig(invocation, io);
    const shared = await sharedStorageNamed(invocation, io);
    if (shared !== undefined && invocation.flag('compact')) {
      const hint = 'PostgreSQL uses free space again by itself; VACUUM (FULL) returns it.';
      throw new CliError('usage', 'The option --compact is for a data folder.', hint);
    }
    // Loaded on demand, so that commands that only call a server start fast.
    const { rowPackMax } = await import('@packhouse/git');
    const { settingRules } = await import('@packhouse/hosting');
    const grace = settings.gc_grace ?? settingRules.gc_grace.default;
    const wanted = name === undefined ? undefined : { ...place, name };
    const options = { grace: Number(grace) * 1000, full: invocation.flag('full'), rowsMax: rowPackMax };
    const progress = startProgress(io);
    const outcomes = await maintained(path, shared, wanted, options, progress.show).finally(progress.end);
    const { database, failure } = invocation.flag('compact') ? await compacted(path) : {};
    const result = { repos: outcomes, ...(database === undefined ? {} : { database }) };
    printResult(invocation, io, result, (screen) => outcomesText(outcomes, screen) + databaseText(database));
    const failed = outcomes.filter((outcome) => !outcome.ok);
    for (const { repo, reason } of failed)
      io.err(`error: repo "${shown(repo)}" was not maintained: ${shown(reason)}\n`);
    // The outcomes of the repos are printed in any case.
    if (failure !== undefined) throw failure;
    if (failed.length === 0) return 0;
    io.err(`hint: "${io.program} doctor" tells what is wrong with the folder; nothing was lost by this.\n`);
    return exitCodes.unsound;
  },
};

async function maintained(
  path: string,
  shared: SharedStorage | undefined,
  ...rest: [wanted: Wanted | undefined, options: MaintainRepoOptions, show: Progress['show']]
): Promise<readonly RepoOutcome[]> {
  if (shared === undefined) {
    const { maintainFolder } = await import('../data-folder/maintain-folder.ts');
    return maintainFolder(path, ...rest);
  }
  const { withSharedStorage } = await import('../shared-storage/with-shared-storage.ts');
  const { maintainShared } = await import('../shared-storage/maintain-shared.ts');
  return withSharedStorage(shared, (opened) => maintainShared(opened, ...rest));
}

async function compacted(path: string): Promise<{ readonly database?: Change; readonly failure?: unknown }> {
  const { compactFolder } = await import('../data-folder/compact-folder.ts');
  try {
    return { database: compactFolder(path) };
  } catch (failure) {
    return { failure };
  }
}

type Done = RepoOutcome & { readonly ok: true };

/** Formats the outcomes. Repositories without changes are only counted. */
function outcomesText(outcomes: readonly RepoOutcome[], screen: Screen): string {
  const done = outcomes.filter((outcome): outcome is Done => outcome.ok);
  const changed = done.filter(({ packs, bytes, removed }) => removed > 0 || isChange(packs) || isChange(bytes));
  const rows = changed.map(({ repo, packs, objects, bytes, collected, removed }) => [
    shown(repo),
    changeText(packs),
    changeText(objects),
    changeText(bytes),
    String(collected),
    String(removed),
  ]);
  const head = ['REPO', 'PACKS', 'OBJECTS', 'BYTES', 'COLLECTED', 'REMOVED PACKS'];
  const rest = done.length - changed.length;
  if (outcomes.length === 0) return 'The folder has no repos.\n';
  return [
    ...(rows.length === 0 ? [] : [table(head, rows, '', screen)]),
    ...(rest === 0 && rows.length > 0 ? [] : [`${rest} ${rest === 1 ? 'repo' : 'repos'} had nothing to do.\n`]),
  ].join('');
}

function databaseText(database: Change | undefined): string {
  return database === undefined ? '' : `Bytes of the database: ${changeText(database)}\n`;
}

function isChange({ before, after }: Change): boolean {
  return before !== after;
}

function changeText({ before, after }: Change): string {
  return before === after ? String(before) : `${before} -> ${after}`;
}
