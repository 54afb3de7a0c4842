import type { ApiTokenStore, Catalog } from '@packhouse/hosting';
import type { PackHolders } from '@packhouse/storage/workers';
import type { TagChange, TagStore } from '@packhouse/tagging';
import type { Routes } from './remote-port.ts';
import {
  receiveChange,
  receiveOutcome,
  receivePart,
  receiveRecord,
  sendChange,
  sendOutcome,
  sendPart,
  sendRecord,
} from './sent-tags.ts';

/** The ports of a `CatalogObject`. */
export interface AccountPorts {
  readonly catalog: Catalog;
  readonly tags: TagStore;
  readonly holders: PackHolders;
  readonly apiTokens: ApiTokenStore;
}

/** Routes of the ports of a `CatalogObject`. The account's sweep undoes half-finished work of a `once` call. */
export const accountPorts: Routes<AccountPorts> = {
  catalog: {
    createNamespace: 'once',
    namespace: 'repeatable',
    namespaces: 'repeatable',
    countNamespaces: 'repeatable',
    deleteNamespace: 'once',
    reserveRepo: 'once',
    publishRepo: 'repeatable',
    renewRepo: 'repeatable',
    repo: 'repeatable',
    repoById: 'repeatable',
    repos: 'repeatable',
    countRepos: 'repeatable',
    deleteRepo: 'repeatable',
    // A second call answers `stale`, and the caller finds the update of the first.
    updateRepo: 'repeatable',
    settleRepo: 'repeatable',
    unsettled: 'repeatable',
    dropRepo: 'once',
    unfinished: 'repeatable',
    dueErasures: 'repeatable',
    notePacks: 'repeatable',
    setErasureDue: 'repeatable',
    forgetErased: 'repeatable',
    addToken: 'once',
    dropTokens: 'repeatable',
    tokenRepo: 'repeatable',
    touch: 'repeatable',
    storedBytes: 'repeatable',
  },
  tags: {
    record: { repeat: 'repeatable', result: { send: sendRecord, receive: receiveRecord } },
    set: {
      // The first call may change the tags, and then the condition fails in the second one.
      repeat: ({ ifMatch }: TagChange) => (ifMatch === null ? 'repeatable' : 'once'),
      given: {
        send: ([change]) => [sendChange(change)],
        receive: async ([sent]: Parameters<typeof receiveChange>) => [await receiveChange(sent)],
      },
      result: {
        send: sendOutcome,
        receive: (sent: ReturnType<typeof sendOutcome>, [change]) => receiveOutcome(sent, change),
      },
    },
    // A second call may return `missing` for tags that the first one removed. Without a condition, both mean the same.
    remove: { repeat: (_, ifMatch) => (ifMatch === null ? 'repeatable' : 'once') },
    rename: 'repeatable',
    resources: { repeat: 'repeatable', result: { send: sendPart, receive: receivePart } },
    keys: 'repeatable',
    values: 'repeatable',
    summary: { repeat: 'repeatable', result: { send: sendPart, receive: receivePart } },
    keepPlace: 'repeatable',
    keptPlace: 'repeatable',
  },
  apiTokens: {
    // A second call adds no second token.
    add: 'repeatable',
    find: 'repeatable',
    list: 'repeatable',
    revoke: 'repeatable',
    revokeRepo: 'repeatable',
  },
  holders: { hold: 'repeatable', release: 'repeatable', drop: 'repeatable', held: 'repeatable' },
};
