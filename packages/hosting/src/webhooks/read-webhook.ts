import { Fields, type RawFields } from '@packhouse/base';
import { eventNames } from '../events/make-event.ts';
import type { WebhookRecord } from '../ports/webhooks.ts';
import { namesPrivateHost } from '../outbound/reachable-addresses.ts';
import { parseWebhookSecret } from '../settings/webhook-secret.ts';
import { webhookUrlProblem } from '../settings/webhook-url.ts';

/** Characters of a URL (LIM-101). */
const urlMax = 2_048;
/** Patterns of refs of one webhook, and characters of a pattern (LIM-103). */
const patternsMax = 20;
const patternMax = 256;

/** The members of a webhook that a request sets. */
export type WebhookFields = Partial<Pick<WebhookRecord, 'url' | 'events' | 'refs' | 'isActive' | 'secret'>>;

/**
 * Reads the members of a webhook (REPO-376). A list that is `null` stands for everything.
 *
 * @param allow hosts that may have private addresses.
 * @param isNew true if `url` is required.
 * @throws {HostingError}
 */
export async function readWebhook(body: RawFields, allow: readonly string[], isNew: boolean): Promise<WebhookFields> {
  const fields = new Fields(body);
  const url = isNew || fields.value('url') !== undefined ? await readUrl(fields, allow) : undefined;
  const events = readList(fields, 'events', eventNames.length, (name) =>
    (eventNames as readonly string[]).includes(name)
      ? undefined
      : `Invalid option: expected one of ${eventNames.map((option) => `"${option}"`).join('|')}`,
  );
  const refs = readList(fields, 'refs', patternsMax, (pattern) =>
    /^refs\/[^\u0000- \u007f]*$/.test(pattern) && pattern.length <= patternMax
      ? undefined
      : `Invalid pattern: must begin with refs/ and have at most ${patternMax} characters`,
  );
  const isActive = fields.value('active') === undefined ? undefined : fields.boolean('active', true);
  const secret = fields.optionalString('secret');
  if (secret !== undefined && parseWebhookSecret(secret) === undefined) {
    fields.fail('secret', 'secret must be whsec_ and the base64 of 24 to 64 bytes');
  }
  fields.check();
  return {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { events }),
    ...(refs === undefined ? {} : { refs }),
    ...(isActive === undefined ? {} : { isActive }),
    ...(secret === undefined ? {} : { secret }),
  };
}

async function readUrl(fields: Fields, allow: readonly string[]): Promise<string> {
  const faults = fields.errorCount;
  const url = fields.string('url');
  if (fields.errorCount > faults) return url;
  // The requirement at the end is for operators.
  const problem = webhookUrlProblem(url, allow, 'user_webhook_allow')?.replace(/ \([^()]*\)$/, '');
  if (url.length > urlMax) fields.fail('url', `Too big: expected string to have <=${urlMax} characters`);
  else if (problem !== undefined) fields.fail('url', `url ${problem}`);
  else if (await namesPrivateHost(new URL(url), allow)) fields.fail('url', 'url must not name a private address');
  return url;
}

/** Returns undefined if the list is absent, and null if it is `null`. */
function readList(
  fields: Fields,
  field: string,
  max: number,
  fault: (item: string) => string | undefined,
): readonly string[] | null | undefined {
  if (!fields.has(field)) return undefined;
  if (fields.value(field) === undefined) return null;
  const faults = fields.errorCount;
  const list = fields.strings(field, { min: 1, max });
  if (fields.errorCount > faults) return list;
  const found = list.map(fault).find((one) => one !== undefined);
  if (found !== undefined) fields.fail(field, found);
  return [...new Set(list)];
}
