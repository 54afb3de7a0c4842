import type { EventBody } from '../ports/on-event.ts';
import type { WebhookRecord } from '../ports/webhooks.ts';

/** Tests if a webhook gets an event. `name` is that of its type, without the prefix of the dialect. */
export function isWanted(
  { events, refs }: Pick<WebhookRecord, 'events' | 'refs'>,
  name: string,
  { payload }: Pick<EventBody, 'payload'>,
): boolean {
  if (events !== null && !events.includes(name)) return false;
  if (name !== 'pushed' || refs === null) return true;
  const ref = String(payload['ref']);
  return refs.some((pattern) => matchesPattern(pattern, ref));
}

/**
 * Tests if a pattern matches a whole text. `*` matches any characters, also `/`. Takes time in proportion to the product
 * of both lengths at most.
 */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
