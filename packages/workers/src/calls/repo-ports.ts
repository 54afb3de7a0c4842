import type { CommitOutcome, PreparedRecords, RepoChange, RetiredPack, RetiredTip } from '@packhouse/git';
import type { HostedRepoState, ImportJob, OpenedRepo, RepoPlace, RepoRecord } from '@packhouse/hosting';
import type { MaintainedRepoState, PackReservations } from '@packhouse/storage/workers';
import { remotePort, type RemotePortOptions, type Routes } from './remote-port.ts';
import { receiveLists, sendLists, type SentLists } from './sent-lists.ts';
import { receiveSnapshot, sendSnapshot, type SentSnapshot } from './sent-snapshot.ts';

/** The ports of a `RepoObject`. */
export interface RepoPorts {
  readonly state: RepoStatePort;
  readonly reservations: PackReservations;
  readonly prepared: PreparedRecords;
  readonly imports: {
    /**
     * Runs an import, and resolves when it has ended. The import continues if the caller leaves.
     *
     * @throws {HostingError} if the import failed. The repository does not exist then.
     */
    carryOut(job: ImportJob): Promise<RepoRecord>;
  };
}

/** {@link HostedRepoState} as the interface of an object. */
export interface RepoStatePort extends Omit<HostedRepoState, 'commit'>, Pick<MaintainedRepoState, 'hasStored'> {
  /** Also returns the stored bytes after the commit, so that the caller need not ask for them. */
  commit(change: RepoChange): Promise<{ readonly outcome: CommitOutcome; readonly storedBytes: number }>;
}

/** The answer to `open` as a message. */
interface SentOpened {
  readonly opened: OpenedRepo;
  /** In place of `opened.snapshot`. */
  readonly sent?: SentSnapshot;
}

export const repoPorts: Routes<RepoPorts> = {
  state: {
    begin: 'repeatable',
    setStatus: 'repeatable',
    updateHead: 'repeatable',
    open: {
      repeat: 'repeatable',
      result: {
        send(opened): SentOpened {
          if (opened.kind === 'gone' || opened.snapshot === undefined) return { opened };
          return { opened: { ...opened, snapshot: undefined }, sent: sendSnapshot(opened.snapshot) };
        },
        async receive({ opened, sent }: SentOpened) {
          if (opened.kind === 'gone' || sent === undefined) return opened;
          return { ...opened, snapshot: await receiveSnapshot(sent) };
        },
      },
    },
    snapshot: {
      repeat: 'repeatable',
      result: {
        send: (snapshot) => snapshot && sendSnapshot(snapshot),
        receive: async (sent: SentSnapshot | undefined) => sent && receiveSnapshot(sent),
      },
    },
    refs: 'repeatable',
    // The state records the push id, so a second call returns the outcome of the first one.
    commit: 'repeatable',
    outcome: 'repeatable',
    rowFiles: 'repeatable',
    // The state records its id, as for a commit.
    replacePacks: 'repeatable',
    retiredPacks: {
      repeat: 'repeatable',
      result: {
        send: (packs) => sendLists({ packs }),
        receive: async (sent: SentLists<{ packs: RetiredPack }>) => (await receiveLists(sent)).packs,
      },
    },
    forgetPacks: 'repeatable',
    retiredTips: {
      repeat: 'repeatable',
      result: {
        send: (tips) => sendLists({ tips }),
        receive: async (sent: SentLists<{ tips: RetiredTip }>) => (await receiveLists(sent)).tips,
      },
    },
    forgetTips: 'repeatable',
    uploadedBlobs: 'repeatable',
    keyedResult: 'repeatable',
    planMaintenance: 'repeatable',
    addToken: 'repeatable',
    tokens: 'repeatable',
    tokenId: 'repeatable',
    // A second call would return `ended` for a token that the first one revoked.
    revokeToken: 'once',
    storedBytes: 'repeatable',
    lastPush: 'repeatable',
    erase: 'repeatable',
    forget: 'repeatable',
    // Idempotent by the id of the event.
    record: 'repeatable',
    releaseEvents: 'repeatable',
    pendingEvents: 'repeatable',
    delivered: 'repeatable',
    retryEventsAt: 'repeatable',
    webhooks: 'repeatable',
    // Idempotent by the id of the webhook.
    addWebhook: 'repeatable',
    changeWebhook: 'repeatable',
    // A second call would not find the webhook that the first one removed.
    removeWebhook: 'once',
    wantedEvents: 'repeatable',
    webhookWork: 'repeatable',
    webhookEvents: 'repeatable',
    settleWebhooks: 'repeatable',
    delayWebhooks: 'repeatable',
    hasStored: 'repeatable',
  },
  reservations: { reserve: 'repeatable', before: 'repeatable', drop: 'repeatable' },
  // A second `begin` would find the pack of the first one under way.
  prepared: { take: 'repeatable', begin: 'once', finish: 'repeatable', drop: 'repeatable' },
  imports: { carryOut: 'once' },
};

/** A repository in its object. */
export interface RemoteRepo {
  readonly state: HostedRepoState & Pick<MaintainedRepoState, 'hasStored'>;
  readonly reservations: PackReservations;
  readonly prepared: PreparedRecords;
}

/** Makes the caller's side of a repository. Make one for each request: it caches the stored bytes after a commit. */
export function remoteRepo(options: RemotePortOptions<RepoPlace>): RemoteRepo {
  const port = remotePort(repoPorts, 'state', options);
  let known: number | undefined;
  const state: RemoteRepo['state'] = {
    ...port,
    async commit(change) {
      const { outcome, storedBytes } = await port.commit(change);
      known = storedBytes;
      return outcome;
    },
    async replacePacks(replacement) {
      known = undefined;
      return port.replacePacks(replacement);
    },
    storedBytes: async () => known ?? port.storedBytes(),
  };
  return {
    state,
    reservations: remotePort(repoPorts, 'reservations', options),
    prepared: remotePort(repoPorts, 'prepared', options),
  };
}
