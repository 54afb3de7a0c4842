import { booleanOf, integerIn, isName, membersOf, oneOf, type Refuse, refuseIn, textUpTo } from './check.ts';
import { readCondition, type Subject } from './condition.ts';
import type { RuleContentType } from './rule.ts';
import { readTemplate, type Template } from './template.ts';

/** A checked rule. */
export interface ReadyRule {
  readonly id: string;
  readonly enabled: boolean;
  readonly contentType: RuleContentType;
  /** Undefined: the status of the error (ERR-106). */
  readonly status: number | undefined;
  readonly template: Template;
  /** Tests if the rule applies to an error. A condition in code may throw (ERR-112). */
  readonly matches: (subject: Subject) => boolean | Promise<boolean>;
}

const contentTypes: readonly RuleContentType[] = [
  'text/html',
  'text/plain',
  'application/json',
  'text/xml',
  'application/problem+json',
  'text/markdown',
];

const known = ['id', 'enabled', 'when', 'content_type', 'content', 'asset', 'status_code'];

/** Maximum in bytes of UTF-8 (ERR-155). */
const longestContent = 10_240;

/**
 * Checks the rule at a position of the list, counted from 1 (ERR-101 to ERR-108).
 *
 * @throws CustomErrorsError naming the rule and the member.
 */
export const readRule = (value: unknown, place: number, assets: ReadonlyMap<string, string>): ReadyRule => {
  const unnamed = refuseIn(`rule ${place}`);
  const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : undefined;
  const refuse = isName(id) ? refuseIn(`rule ${id}`) : unnamed;
  const members = membersOf(value, '', known, refuse);
  if (!isName(id)) return refuse('id', 'must be 1 to 200 letters, digits, _ or -');
  const enabled = booleanOf(members.get('enabled'), 'enabled', refuse);
  const matches = readWhen(members.get('when'), refuse);
  const contentType = oneOf(members.get('content_type'), 'content_type', contentTypes, refuse);
  const status = members.get('status_code');
  return {
    id,
    enabled,
    contentType,
    status: status === undefined ? undefined : integerIn(status, 'status_code', 400, 599, refuse),
    template: readTemplate(readContent(members, assets, refuse), contentType),
    matches,
  };
};

const readWhen = (value: unknown, refuse: Refuse): ReadyRule['matches'] => {
  if (typeof value === 'function') return ({ error, request }) => value(error, request);
  if (typeof value !== 'object' || value === null) refuse('when', 'must be an object or a function');
  return readCondition(value, refuse);
};

const readContent = (
  members: ReadonlyMap<string, unknown>,
  assets: ReadonlyMap<string, string>,
  refuse: Refuse,
): string => {
  if (!members.has('asset')) {
    if (!members.has('content')) refuse('content', 'or asset must be there');
    return textUpTo(members.get('content'), 'content', longestContent, refuse);
  }
  if (members.has('content')) refuse('asset', 'must not stand beside content');
  const name = members.get('asset');
  if (!isName(name)) return refuse('asset', 'must be the name of an asset: 1 to 200 letters, digits, _ or -');
  return assets.get(name) ?? refuse('asset', `names no asset that was given: ${name}`);
};
