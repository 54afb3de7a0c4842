import { defaultResourceTypes, type ResourceType } from '@packhouse/tagging/vocabulary';
import { repositoryType } from '@packhouse/router/repository-type';

const types = new Map([repositoryType, ...defaultResourceTypes].map((type) => [type.type, type]));

/** The names of the built-in types. A deployment may add others. */
export const typeNames: readonly string[] = [...types.keys()];

/** Returns the names of the types of a level, separated by commas. */
export function typeList(level: ResourceType['level']): string {
  return typeNames.filter((name) => levelOf(name) === level).join(', ');
}

/** Returns the level of a type, or undefined for a type that a deployment has added. */
export function levelOf(type: string): ResourceType['level'] | undefined {
  return types.get(type)?.level;
}

/** Returns the name of the member with the parent's id, for a type that has a parent. */
export function parentOf(type: string): string | undefined {
  return types.get(type)?.parent;
}
