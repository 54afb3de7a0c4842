import type { OpenApiPart, RepoErrorKind } from '@packhouse/base';
import type { TaggingErrorKind } from '../../model/tagging-error.ts';
import { identitySchemas, type DocumentedType, type TagResult } from './schemas.ts';

/** A row of the table of routes (TAG-001 to TAG-010). */
export interface TagOperation {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly method: 'get' | 'put' | 'delete';
  readonly level: 'account' | 'zone';
  /** Relative to the URL of the account or zone. */
  readonly path: string;
  readonly parameters: readonly OpenApiPart[];
  /** Content of the body. Absent: no body. */
  readonly body?: 'identity' | 'identity and tags';
  readonly result?: TagResult;
  /** Errors in addition to those of every operation. */
  readonly errors: readonly (RepoErrorKind | TaggingErrorKind)[];
}

const parameter = (name: string, description: string, schema: OpenApiPart, rest: OpenApiPart = {}): OpenApiPart => ({
  name,
  in: 'query',
  description,
  schema,
  ...rest,
});
/** A list as `name=a&name=b`, OpenAPI's default. */
const repeated = (items: OpenApiPart, maxItems?: number): OpenApiPart => ({
  type: 'array',
  items,
  ...(maxItems !== undefined && { maxItems }),
});

const cursor = parameter('cursor', 'From result_info: asks for the next page of the same list', {
  type: 'string',
  maxLength: 1024,
});
const ifMatch = parameter(
  'If-Match',
  'Writes only if the tags have this etag now; * only if tags were set before',
  { type: 'string' },
  { in: 'header' },
);
const listErrors: TagOperation['errors'] = ['parameter', 'cursor'];
const writeErrors: TagOperation['errors'] = ['mediaType', 'bodyTooLarge', 'resourceType', 'noMatch'];

/** Reply of GET for a resource without tags (section 6 of `tagging.md`). */
export type NotFoundMode = '500' | '404' | 'empty';

/** Returns the ten operations for the registered types. */
export function tagOperations(types: readonly DocumentedType[], notFound: NotFoundMode): readonly TagOperation[] {
  const typeSchema = { type: 'string', enum: types.map(({ type }) => type) };
  return [
    ...ofOneResource('account', types, notFound),
    ...ofOneResource('zone', types, notFound),
    {
      id: 'listTaggedResources',
      summary: 'List or search the resources that have tags',
      description: 'Those of the account and of all its zones, by type, zone, parent and id.',
      method: 'get',
      level: 'account',
      path: '/tags/resources',
      parameters: [
        parameter(
          'tag',
          'A filter: key, !key, key=value,other or key!=value,other; several must all hold',
          repeated({ type: 'string' }, 20),
          { example: ['environment=production'] },
        ),
        parameter('type', 'Of one of these types', repeated(typeSchema)),
        parameter('id', 'With one of these ids', repeated({ type: 'string', minLength: 1, maxLength: 1024 }, 50)),
        parameter('name', 'Whose name contains this, ignoring case', { type: 'string', maxLength: 256 }),
        parameter('case_insensitive', 'Whether filters ignore case', { enum: ['true', 'false'], default: 'false' }),
        cursor,
      ],
      result: 'resources',
      errors: [
        'tooManyFilters',
        'filterForm',
        'keyTooLong',
        'invalidKey',
        'tooManyValues',
        'valueTooLong',
        'resourceType',
        ...listErrors,
      ],
    },
    {
      id: 'listTagKeys',
      summary: 'List the keys in use',
      description: 'Of all tags of the account and of its zones, each once.',
      method: 'get',
      level: 'account',
      path: '/tags/keys',
      parameters: [cursor],
      result: 'keys',
      errors: listErrors,
    },
    {
      id: 'listTagValues',
      summary: 'List the values in use for a key',
      description: 'Each once.',
      method: 'get',
      level: 'account',
      path: '/tags/values/{tag_key}',
      parameters: [parameter('type', 'On resources of this type', typeSchema), cursor],
      result: 'values',
      errors: ['keyMissing', 'keyTooLong', 'invalidKey', 'resourceType', ...listErrors],
    },
    {
      id: 'listTagSummary',
      summary: 'List the keys in use with their values',
      description: 'One item for each key, with all its values.',
      method: 'get',
      level: 'account',
      path: '/tags/summary',
      parameters: [cursor],
      result: 'summary',
      errors: listErrors,
    },
  ];
}

/** Get, set and delete, which accounts and zones share. */
function ofOneResource(
  level: 'account' | 'zone',
  registry: readonly DocumentedType[],
  notFound: NotFoundMode,
): readonly TagOperation[] {
  const types = registry.filter((one) => one.level === level);
  const [of, whose] = level === 'account' ? ['Account', 'an account'] : ['Zone', 'a zone'];
  const shared = { level, path: '/tags' };
  return [
    {
      ...shared,
      id: `get${of}Tags`,
      summary: `Get the tags of a resource of ${whose}`,
      description:
        notFound === 'empty'
          ? 'Of a resource whose tags were never set the tags are {}.'
          : `For a resource whose tags were never set the reply is ${notFound} with the code 10200.`,
      method: 'get',
      parameters: Object.entries(identitySchemas(types)).map(([name, { description = '', ...schema }]) => {
        const needed = name === 'resource_type' || name === 'resource_id';
        return parameter(name, String(description), schema, needed ? { required: true } : {});
      }),
      result: 'resource',
      errors: ['resourceMissing', 'parameter', 'resourceType', 'resourceNotFound'],
    },
    {
      ...shared,
      id: `set${of}Tags`,
      summary: `Set the tags of a resource of ${whose}`,
      description:
        'The tags of the body replace those that the resource has. To change one, get them, change it, and set all.',
      method: 'put',
      parameters: [ifMatch],
      body: 'identity and tags',
      result: 'resource',
      errors: [
        'setPayload',
        'keyTooLong',
        'valueTooLong',
        'invalidKey',
        'tooManyTags',
        'resourceNotFound',
        ...writeErrors,
      ],
    },
    {
      ...shared,
      id: `delete${of}Tags`,
      summary: `Delete the tags of a resource of ${whose}`,
      description: 'Also succeeds for a resource without tags.',
      method: 'delete',
      parameters: [ifMatch],
      body: 'identity',
      errors: ['deletePayload', ...writeErrors],
    },
  ];
}
