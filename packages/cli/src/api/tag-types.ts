import { defaultResourceTypes, type ResourceType } from '@packhouse/tagging';
import { repositoryType } from '@packhouse/router';

const types = new Map([repositoryType, ...defaultResourceTypes].map((type) => [type.type, type]));

/** The names of the types that a service has unless its deployment says otherwise. */
export const typeNames: readonly string[] = [...types.keys()];

/** The names of those of a level, with commas between. */
export function typeList(level: ResourceType['level']): string {
  return typeNames.filter((name) => levelOf(name) === level).join(', ');
}

/** The level of a type; undefined for one that a deployment has added. */
export function levelOf(type: string): ResourceType['level'] | undefined {
  return types.get(type)?.level;
}

/** The name of the member that tells the parent, of a type that has one. */
export function parentOf(type: string): string | undefined {
  return types.get(type)?.parent;
}
