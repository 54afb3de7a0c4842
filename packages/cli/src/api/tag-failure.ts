import { isAccountId, nearest } from '@packhouse/base';
import type { PackhouseError } from '@packhouse/client';
import { taggingErrors } from '@packhouse/tagging/vocabulary';
import { CliError, shown } from '@packhouse/command';
import { levelOf, parentOf, typeNames } from './tag-types.ts';

/** The facts about a failed tagging request that an error message needs. */
export interface TagRequest {
  readonly account: string;
  readonly zone?: string | undefined;
  readonly program: string;
  readonly writes: boolean;
  /** The resource types in the request. */
  readonly types: readonly string[];
  /** The resource, for a request about one resource. */
  readonly resource?: TagSubject;
  /** The filters, as the user wrote them. */
  readonly filters?: readonly string[];
  /** The key, for a request about the values of a key. */
  readonly key?: string;
}

export interface TagSubject {
  /** The resource as the user wrote it: `repository "default/notes"`. */
  readonly name: string;
  /** The words for it on a command line: `repository default/notes`. */
  readonly words: string;
  readonly parent?: string | undefined;
}

/**
 * Returns the error for a refused tagging request (section 14 of `tagging.md`), or undefined where the general error
 * will do.
 */
export function tagRefusal(error: PackhouseError, request: TagRequest): CliError | undefined {
  if (error.status === 403) return notAllowed(request);
  const words = wordsFor(error, request);
  return words === undefined ? undefined : new CliError('refused', ...words);
}

/** Message and hint. */
type Words = readonly [message: string, hint: string];

function notAllowed({ account, zone, writes }: TagRequest): CliError {
  const [verb, permission] = writes
    ? ['changing', '"Tag Write" ("tag.write" in a configuration file)']
    : ['reading', '"Tag Read" ("tag.read" in a configuration file)'];
  return new CliError(
    'credential',
    `The API token does not allow ${verb} tags in ${zone === undefined ? `account "${account}"` : `zone "${zone}"`}.`,
    zone === undefined
      ? `Check --account, and that the token has the permission ${permission}.`
      : `Check --zone, that the server knows this zone, and that the token has the permission ${permission}.`,
  );
}

function wordsFor(error: PackhouseError, request: TagRequest): Words | undefined {
  const { program, resource, zone } = request;
  const subject = resource?.name ?? 'the resource';
  const culprit = culpritOf(error, request);
  switch (error.code) {
    case 7003:
      if (zone === undefined || isAccountId(zone)) return undefined;
      return [`"${zone}" cannot be the ID of a zone.`, 'It is 1 to 64 letters, digits, "_" and "-".'];
    case taggingErrors.resourceType.code:
      return typeWords(request);
    case taggingErrors.setPayload.code:
    case taggingErrors.deletePayload.code:
    case taggingErrors.parameter.code:
      return payloadWords(error, request);
    case taggingErrors.resourceMissing.code:
      return ['TYPE and ID must not be empty.', `"${program} tag get --help" explains them.`];
    case taggingErrors.filterForm.code:
      return [
        `--tag cannot be "${culprit ?? ''}"${reason(error)}.`,
        "Write KEY, '!KEY', KEY=VALUE,VALUE or 'KEY!=VALUE'; \"\\,\" is a comma inside a value.",
      ];
    case taggingErrors.keyMissing.code:
      return ['KEY must not be empty.', `"${program} tag keys" shows those there are.`];
    case taggingErrors.tooManyFilters.code:
      return ['There are more than 20 filters.', 'Leave some out; KEY=VALUE,VALUE takes several values in one.'];
    case taggingErrors.tooManyValues.code:
      return [
        `The filter "${culprit ?? ''}" has more than 10 values.`,
        'Ask in two requests, or write "\\," for a comma inside a value.',
      ];
    case taggingErrors.keyTooLong.code:
      return [`The key of "${culprit ?? ''}" is too long.`, 'A key has at most 256 characters.'];
    case taggingErrors.valueTooLong.code:
      return [`The value of "${culprit ?? ''}" is too long.`, 'A value has at most 1,024 characters.'];
    case taggingErrors.invalidKey.code:
      return [
        `The key of "${culprit ?? ''}" has a character that no key has.`,
        'A key is letters, digits, "_", "." and "-"; the value stands behind "=".',
      ];
    case taggingErrors.tooManyTags.code:
      return [
        `The tags of ${subject} are refused: ${shown(error.errors[0]?.message)}.`,
        `Remove some here or elsewhere: "${program} tag list" shows what is tagged. The settings account_tags_max and resource_tags_max are the limits.`,
      ];
    case taggingErrors.resourceNotFound.code:
      return notFoundWords(request);
    case taggingErrors.noMatch.code:
      return [
        `The tags of ${subject} are not those of --if-match.`,
        `"${program} tag get ${resource?.words ?? ''}" shows them and their etag.`,
      ];
    case 10413:
      return [`The tags of ${subject} are too long for one request.`, 'Give it fewer or shorter ones.'];
    default:
      return undefined;
  }
}

function typeWords(request: TagRequest): Words {
  const { types, zone, program, resource, key } = request;
  const [type = ''] = types;
  if (resource !== undefined && levelOf(type) === 'zone' && zone === undefined)
    return [`Resources of type ${type} belong to a zone.`, 'Name it with --zone ID.'];
  if (resource !== undefined && levelOf(type) === 'account' && zone !== undefined)
    return [`Resources of type ${type} belong to the account, not to a zone.`, 'Leave --zone out.'];
  const unknown = types.filter((one) => levelOf(one) === undefined);
  const [named = type] = unknown;
  if (resource === undefined && key === undefined && named.includes(','))
    return [`"${named}" is no resource type.`, 'For several, write --type once for each.'];
  const close = nearest(named, typeNames) ?? typeNames.find((name) => named !== '' && name.startsWith(named));
  return [
    `The service has no resource type ${(unknown.length === 0 ? types : unknown).map((one) => `"${one}"`).join(' or ')}${zone === undefined ? '' : ' of a zone'}.`,
    close === undefined || close === named
      ? `"${program} tag set --help" lists the types there are by default.${levelHint(request)}`
      : `Did you mean "${close}"? "${program} tag set --help" lists all.`,
  ];
}

/** Returns a hint to try the other level, where a type that the deployment added may exist. */
function levelHint({ types: [type = ''], zone, resource }: TagRequest): string {
  if (resource === undefined || levelOf(type) !== undefined) return '';
  return zone === undefined
    ? ' If it is one of a zone, add --zone ID.'
    : ' If it is one of the account, leave --zone out.';
}

function payloadWords({ errors: [item] }: PackhouseError, { types, program, resource }: TagRequest): Words {
  const [type = ''] = types;
  const member = item?.source?.pointer.slice(1) ?? '';
  const known = parentOf(type);
  if (member === 'cursor') return ['The service no longer knows how far the list was read.', 'Try again.'];
  if (member === 'name') return ['The text of --name is too long.', 'It has at most 256 characters.'];
  if (member === 'id')
    return [
      'There are too many --id, or one that no resource can have.',
      'Give at most 50, each of 1 to 1,024 characters.',
    ];
  if (member === 'resource_id')
    return ['No resource can have this ID.', 'An ID is 1 to 1,024 characters, none of them U+0000.'];
  if (resource !== undefined && resource.parent === undefined && (known ?? ownParent(member)) !== undefined) {
    return [
      `A resource of type ${type} has its ID within a parent, and --parent is missing.`,
      known === undefined ? `Add --parent ${member}=ID.` : `Add --parent ID, its ${known}.`,
    ];
  }
  if (member !== '' && resource?.parent === member)
    return ['No parent can have this ID.', 'An ID is 1 to 1,024 characters, none of them U+0000.'];
  return [
    `${shown(item?.message)}${member === '' ? '' : ` (${shown(member)})`}.`,
    `Look at what "${program} tag --help" says, and whether the server is of this release.`,
  ];
}

/** Returns the name of the parent member that a type of the deployment requires. */
function ownParent(member: string): string | undefined {
  return member === '' || member.includes('/') || member.startsWith('resource_') || member === 'tags'
    ? undefined
    : member;
}

function notFoundWords({ types: [type = ''], program, resource, writes }: TagRequest): Words {
  const { name = 'resource', words = '' } = resource ?? {};
  if (!writes)
    return [`There are no tags of ${name}.`, `Check TYPE and ID, or set some: ${program} tag set ${words} KEY=VALUE`];
  return [
    `There is no ${name}.`,
    type === 'repository'
      ? `Write NAMESPACE/REPO, such as default/notes: "${program} repo list" shows the repos of a namespace.`
      : 'Check TYPE and ID; --account and --zone, too.',
  ];
}

/**
 * Returns the value that the service rejects, shortened and as the user wrote it. The details give the position of a
 * filter.
 */
function culpritOf({ errors: [item], messages }: PackhouseError, { filters, key }: TagRequest): string | undefined {
  const pointer = item?.source?.pointer ?? '';
  const position = Number(/^filter (\d+):/.exec(messages[0] ?? '')?.[1] ?? 1);
  const text = pointer.startsWith('/tags/')
    ? pointer.slice('/tags/'.length).replaceAll('~1', '/').replaceAll('~0', '~')
    : (filters?.[position - 1] ?? key);
  return text === undefined || text.length <= 60 ? text : `${text.slice(0, 60)}...`;
}

function reason({ messages }: PackhouseError): string {
  const text = messages[0]?.replace(/^filter \d+: /, '');
  return text === undefined ? '' : `: ${shown(text)}`;
}
