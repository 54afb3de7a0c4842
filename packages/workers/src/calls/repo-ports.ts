import type { CommitOutcome, RepoChange, RetiredPack, RetiredTip } from '@packhouse/git';
import type { HostedRepoState, ImportJob, OpenedRepo, RepoPlace, RepoRecord } from '@packhouse/hosting';
import type { MaintainedRepoState, PackReservations } from '@packhouse/storage/workers';
import { remotePort, type RemotePortOptions, type Routes } from './remote-port.ts';
import { receiveLists, sendLists, type SentLists } from './sent-lists.ts';
import { receiveSnapshot, sendSnapshot, type SentSnapshot } from './sent-snapshot.ts';

/** The ports of a `RepoObject`. */
export interface RepoPorts {
  readonly state: RepoStatePort;
  readonly reservations: PackReservations;
  readonly imports: {
    /**
     * Carries an import out. Answers when it has ended; it goes on if the caller leaves.
     *
     * @throws {HostingError} Then there is no repo.
     */
    carryOut(job: ImportJob): Promise<RepoRecord>;
  };
}

/** {@link HostedRepoState} as an object answers it. */
export interface RepoStatePort extends Omit<HostedRepoState, 'commit'>, Pick<MaintainedRepoState, 'hasStored'> {
  /** Answers with the bytes stored by then, so that the caller need not ask. */
  commit(change: RepoChange): Promise<{ readonly outcome: CommitOutcome; readonly storedBytes: number }>;
}

/** The answer to `open` on its way. */
interface SentOpened {
  readonly opened: OpenedRepo;
  /** In place of `opened.snapshot`. */
  readonly sent?: SentSnapshot;
}

export const repoPorts: Routes<RepoPorts> = {
  state: {
    begin: 'repeatable',
    setStatus: 'repeatable',
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
    // Recorded by its push id, so that a second call answers what the first one did.
    commit: 'repeatable',
    outcome: 'repeatable',
    rowFiles: 'repeatable',
    // Recorded by its id, as a commit is.
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
    planMaintenance: 'repeatable',
    addToken: 'repeatable',
    tokens: 'repeatable',
    tokenId: 'repeatable',
    // A second call would answer `ended` for what the first one revoked.
    revokeToken: 'once',
    storedBytes: 'repeatable',
    lastPush: 'repeatable',
    erase: 'repeatable',
    forget: 'repeatable',
    // An event that is recorded twice has one id.
    record: 'repeatable',
    releaseEvents: 'repeatable',
    pendingEvents: 'repeatable',
    delivered: 'repeatable',
    retryEventsAt: 'repeatable',
    hasStored: 'repeatable',
  },
  reservations: { reserve: 'repeatable', before: 'repeatable', drop: 'repeatable' },
  imports: { carryOut: 'once' },
};

/** A repository in its object. */
export interface RemoteRepo {
  readonly state: HostedRepoState & Pick<MaintainedRepoState, 'hasStored'>;
  readonly reservations: PackReservations;
}

/** Makes the caller's side of a repository. Make one for each request: it remembers the bytes stored after a commit. */
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
  return { state, reservations: remotePort(repoPorts, 'reservations', options) };
}
