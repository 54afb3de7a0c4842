import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { NodeSqlite } from '@packhouse/base/node-sqlite';
import { CliError, parseTime, shown, type Command, type Invocation, type Io } from '@packhouse/command';
import { defaultDataFolder } from '../api/options.ts';
import { KeptEvents, type KeptEvent } from '../data-folder/kept-events.ts';

/** Milliseconds between two polls with `--follow`. */
const pollInterval = 250;

export const eventsTailCommand: Command = {
  words: ['events', 'tail'],
  summary: 'Print the events of a data folder',
  details: `Those that wait to be delivered, and those that were delivered and are kept: as many seconds as the setting events_kept says.
Reads beside a running server, changes nothing and delivers nothing. One line an event, or with --json one object: id, state, event.`,
  arguments: [],
  options: [
    { name: 'data', value: 'DIR', description: 'The data folder', default: `./${defaultDataFolder}` },
    { name: 'follow', short: 'f', description: 'Go on with those that come, until a signal' },
    { name: 'repo', value: 'NS/NAME', description: 'Only those of this repo' },
    {
      name: 'since',
      value: 'TIME',
      description: 'Only those since then: 30s, 10m, 2h or 1d ago, or a time of ISO 8601',
    },
    { name: 'json', description: 'Print each event as one line of JSON' },
  ],
  examples: ['events tail', 'events tail --follow --repo default/notes', 'events tail --since 1h --json'],
  async run(invocation, io) {
    const path = resolve(io.cwd, invocation.text('data') ?? '');
    const isWanted = repoFilter(invocation.text('repo'));
    const since = invocation.text('since');
    const from = since === undefined ? 0 : parseTime('since', since, Date.now());
    // Loaded on demand, so that commands that only call a server start fast.
    const { readBeside } = await import('../data-folder/read-beside.ts');
    await readBeside(path, (database) => tail(database, from, isWanted, invocation, io));
    return 0;
  },
};

async function tail(
  database: NodeSqlite,
  since: number,
  isWanted: (event: KeptEvent) => boolean,
  invocation: Invocation,
  io: Io,
): Promise<void> {
  const events = new KeptEvents(database, since);
  if (!events.keepsDelivered) io.err(noneKept);
  const stop = new AbortController();
  const release = io.onSignal(() => stop.abort());
  try {
    while (!stop.signal.aborted) {
      const found = events.next();
      for (const event of found.filter(isWanted)) {
        io.out(invocation.flag('json') ? `${JSON.stringify(event)}\n` : eventLine(event));
      }
      if (found.length > 0) continue;
      if (!invocation.flag('follow')) return;
      await wait(pollInterval, undefined, { signal: stop.signal }).catch(() => {});
    }
  } finally {
    release();
  }
}

const noneKept = `No delivered event is kept in this folder. To keep them, set "events_kept" in the configuration file of the server
to so many seconds, such as 3600.
`;

/**
 * Returns the filter for `--repo`.
 *
 * @throws {CliError} kind `usage`.
 */
function repoFilter(repo: string | undefined): (event: KeptEvent) => boolean {
  if (repo === undefined) return () => true;
  const [namespace, name, ...others] = repo.toLowerCase().split('/');
  if (namespace === undefined || namespace === '' || name === undefined || name === '' || others.length > 0) {
    throw new CliError('usage', `--repo cannot be "${repo}".`, 'Write namespace and name: --repo default/notes.');
  }
  return ({ event: { source } }) =>
    source.namespace.toLowerCase() === namespace && source.repoName.toLowerCase() === name;
}

/** Formats an event as one line for people. */
function eventLine({ state, event }: KeptEvent): string {
  const { type, source, metadata } = event;
  const parts = [
    metadata.eventTimestamp,
    type,
    `${source.namespace}/${source.repoName}`,
    ...detailsOf(event),
    ...(state === 'waiting' ? ['(waiting)'] : []),
  ];
  return `${parts.map(shown).join('  ')}\n`;
}

function detailsOf({ type, payload }: KeptEvent['event']): readonly unknown[] {
  if (type.endsWith('.pushed')) return pushDetails(payload);
  if (type.endsWith('.token.created')) return [payload['tokenId'], payload['scope']];
  if (type.endsWith('.token.revoked')) return [payload['tokenId']];
  if (type.endsWith('.forked')) return [`to ${String(payload['namespace'])}/${String(payload['repoName'])}`];
  if (type.endsWith('.imported')) return [`from ${String(payload['sourceUrl'])}`];
  return [];
}

function pushDetails(payload: KeptEvent['event']['payload']): readonly unknown[] {
  const { ref, before, after, totalCommitsCount: total, commitsTruncated } = payload;
  const [from, to] = [before, after].map((id) => String(id).slice(0, 7));
  // The count stops at 21 (REPO-195).
  const count = commitsTruncated === true && Number(total) > 20 ? 'more than 20' : String(total);
  return [ref, `${from}..${to}`, ...(total === 0 ? [] : [`${count} ${total === 1 ? 'commit' : 'commits'}`])];
}
