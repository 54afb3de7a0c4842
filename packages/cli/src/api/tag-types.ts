import { defaultResourceTypes, repositoryType, type ResourceType } from '@packhouse/hosting';

const types = new Map([repositoryType, ...defaultResourceTypes].map((type) => [type.type, type]));

/** The names of the types that a service has unless its deployment says otherwise. */
export const typeNames: readonly string[] = [...types.keys()];

/** The names of those of a level, in lines for a terminal. */
export function typeLines(level: ResourceType['level']): string {
  const names = typeNames.filter((name) => levelOf(name) === level);
  return names
    .join(', ')
    .replaceAll(/(.{1,110})(?: |$)/g, '$1\n')
    .trimEnd();
}

/** The level of a type; undefined for one that a deployment has added. */
export function levelOf(type: string): ResourceType['level'] | undefined {
  return types.get(type)?.level;
}

/** The name of the member that tells the parent, of a type that has one. */
export function parentOf(type: string): string | undefined {
  return types.get(type)?.parent;
}
