import type { ResourceIdentity } from '@packhouse/tagging';
import { seededRandom } from '../generate/random.ts';

/** A resource with its tags, as a run stores it. */
export interface SampleResource {
  readonly resource: ResourceIdentity;
  readonly name: string;
  /** Always ten tags. */
  readonly tags: Readonly<Record<string, string>>;
}

/** The account of all samples. */
export const account = 'bench';

const types = ['kv_namespace', 'queue', 'r2_bucket', 'worker', 'dns_record'] as const;
const zones = ['zone-a', 'zone-b', 'zone-c'] as const;
const tiers = ['Gold', 'gold', 'Silver'] as const;

/** Returns the number of the sample resource with an id. */
export const numberOf = (id: string): number => Number(id.slice(-8));

export const nameOf = (number: number): string => `service-${number}`;

/**
 * Returns the resource with a number, the same in each run. Of all resources 60 % have `env=prod`, 10 % have
 * `archived`, and about 100 of 100,000 share an `owner`. Each has a unique `serial`, and there are 60,000 different
 * keys `label-…`.
 */
export const sampleResource = (number: number): SampleResource => {
  const random = seededRandom(number * 2_654_435_761);
  const type = types[number % types.length] ?? 'worker';
  const percent = number % 100;
  return {
    resource: {
      type,
      zone: type === 'dns_record' ? random.pick(zones) : null,
      parent: null,
      id: random.bytes(8).toString('hex') + String(number).padStart(8, '0'),
    },
    name: nameOf(number),
    tags: {
      env: percent < 60 ? 'prod' : percent < 85 ? 'staging' : 'dev',
      [random.below(10) === 0 ? 'archived' : 'active']: '',
      team: `team-${random.below(40)}`,
      owner: `person-${random.below(1000)}`,
      'cost-center': String(1000 + random.below(200)),
      region: `region-${random.below(12)}`,
      tier: random.pick(tiers),
      serial: `serial-${String(number).padStart(8, '0')}`,
      release: `2026.${random.below(50)}`,
      [`label-${number % 60_000}`]: 'x',
    },
  };
};
