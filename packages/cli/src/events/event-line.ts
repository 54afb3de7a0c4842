import { shown } from '../output/print.ts';
import type { KeptEvent } from './kept-events.ts';

/** Formats an event as one line for people. */
export function eventLine({ state, event }: KeptEvent): string {
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
