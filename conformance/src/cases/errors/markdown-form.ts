import type { Dialect } from '../../core/dialect.ts';
import type { CatalogueEntry } from './catalogue-entries.ts';

/** The values that differ between replies. */
export interface Occurrence {
  readonly rayId: string;
  readonly timestamp: string;
  readonly zone: string;
}

/** Returns the body of section 4, byte for byte (ERR-053 to ERR-060). `guidanceMember`: ERR-055. */
export function markdownOf(
  { platformErrors }: Dialect,
  entry: CatalogueEntry,
  { rayId, timestamp, zone }: Occurrence,
  guidanceMember: boolean = platformErrors.guidanceMember,
): string {
  const category = entry.category === 'platform' ? platformErrors.ownCategory : entry.category;
  const guidance = entry.what_you_should_do;
  return [
    '---',
    `error_code: ${entry.code}`,
    `error_name: ${entry.error_name}`,
    `error_category: ${category}`,
    `status: ${entry.http_status}`,
    `ray_id: ${/^[0-9]*e?[0-9]+$/.test(rayId) ? `"${rayId}"` : rayId}`,
    `timestamp: ${timestamp}`,
    `zone: ${isPlainZone(zone) ? zone : `"${zone}"`}`,
    `${platformErrors.marker}: true`,
    `retryable: ${entry.retryable}`,
    ...(entry.retryable ? [`retry_after: ${entry.retry_after}`] : []),
    `owner_action_required: ${entry.owner_action_required}`,
    ...(guidanceMember ? [`what_you_should_do: "${guidance.replace(/["\\]/g, '\\$&')}"`] : []),
    '---',
    '',
    `# Error ${entry.code}: ${entry.short_name}`,
    '',
    '## What Happened',
    '',
    entry.detail,
    '',
    '## What You Should Do',
    '',
    guidance,
    '',
    '---',
    platformErrors.footer,
    '',
  ].join('\n');
}

/** ERR-059. */
function isPlainZone(zone: string): boolean {
  if (!/^[a-z]([a-z0-9.-]*[a-z0-9])?$/.test(zone) || /^e-?[0-9]+$/.test(zone)) return false;
  return !['true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n', 'null'].includes(zone);
}
