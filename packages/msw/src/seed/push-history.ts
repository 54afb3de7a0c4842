import { receivePack, type Codec, type GitEngine, type RepoSnapshot } from '@packhouse/git';
import { pushLimits, type HostedRepo, type Hosting } from '@packhouse/hosting';
import { joined } from './git-objects.ts';
import type { History } from './history.ts';
import { packObjects } from './pack-objects.ts';
import { SeedError } from './seed-error.ts';

/** The repo that receives a history. */
export interface PushTarget {
  readonly account: string;
  readonly id: string;
  readonly repo: HostedRepo;
}

const encoder = new TextEncoder();

/**
 * Pushes into an empty repo as a client would, so that all checks of the service apply.
 *
 * @throws {SeedError} if a check refuses.
 */
export async function pushHistory(
  { hosting, engine, codec }: { readonly hosting: Hosting; readonly engine: GitEngine; readonly codec: Codec },
  { account, id, repo }: PushTarget,
  place: string,
  history: History,
): Promise<void> {
  const { settings, clock } = hosting;
  const snapshot = (await repo.state.snapshot()) as RepoSnapshot;
  const request = joined([encoder.encode(commandsOf(history)), packObjects(codec, history.objects)]);
  const reply = await receivePack(engine, repo, snapshot, only(request), {
    hiddenRefs: settings.hidden_refs,
    denyDeleteDefault: settings.deny_delete_default,
    denyNonFastForward: settings.deny_non_fast_forward,
    strictObjects: true,
    ...pushLimits(settings),
    accountStorageLeft: () => hosting.storageRoom(account),
    pushId: hosting.ids.secret(),
    now: () => clock.now(),
    bodyMax: settings.push_body_max,
    keepAlive: settings.keep_alive * 1000,
    committed: async ({ at, version }) =>
      hosting.touch(account, id, { pushedAt: at, bytes: await repo.state.storedBytes(), version }),
    failed: (error) => hosting.report(error),
  });
  const refused = refusalIn(await new Response(reply as BodyInit).text());
  if (refused !== undefined) throw new SeedError(place, refused);
}

function commandsOf({ refs }: History): string {
  const none = '0'.repeat(40);
  const lines = [...refs].map(([name, id], number) => {
    const text = `${none} ${id} ${name}${number === 0 ? '\0report-status' : ''}`;
    return `${(encoder.encode(text).length + 4).toString(16).padStart(4, '0')}${text}`;
  });
  return `${lines.join('')}0000`;
}

/** Returns the first refusal in the report of a push (gitprotocol-pack(5)). */
function refusalIn(report: string): string | undefined {
  const unpacked = /unpack ([^\n]*)/.exec(report)?.[1];
  if (unpacked !== 'ok') return unpacked ?? 'the push was broken off';
  return /ng (\S+ [^\n]*)/.exec(report)?.[1];
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
