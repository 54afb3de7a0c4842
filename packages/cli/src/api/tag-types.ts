import type { ResourceType } from '@packhouse/hosting';

const types: readonly Pick<ResourceType, 'type' | 'level' | 'parent'>[] = [
  { type: 'repository', level: 'account' },
  { type: 'worker_version', level: 'account', parent: 'worker_id' },
  { type: 'access_application_policy', level: 'zone', parent: 'access_application_id' },
  { type: 'dns_record', level: 'zone' },
];

/** The names of the types that a service has by default, in the order of the specification. */
export const typeNames: readonly string[] = types.map(({ type }) => type);

/** The level of a type; undefined for one that a deployment has added. */
export function levelOf(type: string): ResourceType['level'] | undefined {
  return types.find((one) => one.type === type)?.level;
}

/** The name of the member that tells the parent, of a type that has one. */
export function parentOf(type: string): string | undefined {
  return types.find((one) => one.type === type)?.parent;
}
