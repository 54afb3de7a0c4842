import type { RecordedEvent } from '@packhouse/git';
import type { WebhookDeliveries } from '../../webhooks/deliver-webhooks.ts';
import type { WorkStorage } from '../../ports/work-leases.ts';
import type { WebhookRecord } from '../../ports/webhooks.ts';
import { sampleHead, sampleRepoId, sampleToken } from '../repo-state/samples.ts';

/** Makes an active webhook that gets everything. */
export function sampleWebhook(id: string, part: Partial<WebhookRecord> = {}): WebhookRecord {
  return {
    id,
    url: `https://hooks.example/${id}`,
    events: null,
    refs: null,
    secret: `whsec_${'a'.repeat(32)}`,
    createdAt: 1_000,
    updatedAt: 1_000,
    activeSince: 0,
    isActive: true,
    stopped: null,
    lastDelivery: null,
    ...part,
  };
}

/** Makes a `pushed` event of a ref, for webhooks alone. */
export function samplePushed(id: string, ref = 'refs/heads/main', at = 1_000): RecordedEvent {
  const body = {
    type: 'repos.repo.pushed',
    source: { type: 'repos.repo', namespace: 'default', repoName: 'notes' },
    payload: { ref },
    metadata: { accountId: 'a1', eventSchemaVersion: 1, eventTimestamp: '2026-01-01T00:00:00.000Z' },
  };
  return { id, at, body: JSON.stringify(body), webhooksOnly: true };
}

/** Begins a ready repository in the namespace `Default` of the account `a1`. */
export async function begunRepo({ catalog, repos }: WorkStorage) {
  const id = sampleRepoId();
  await catalog('a1').createNamespace('Default', 'unrestricted', 1);
  const open = () => repos.repo('a1', id, 'unrestricted').state;
  await open().begin({ ...sampleHead(id), namespace: 'Default' }, sampleToken('t1'));
  return { id, open };
}

/** Makes a delivery to the webhooks of a published repository. */
export function sampleDeliveries(
  part: Pick<WebhookDeliveries, 'repoId' | 'queue' | 'post' | 'retryFor' | 'clock'>,
): WebhookDeliveries {
  return {
    isPublished: async () => true,
    typePrefix: 'repos.repo.',
    report: (error) => {
      throw error;
    },
    signal: new AbortController().signal,
    ...part,
  };
}
