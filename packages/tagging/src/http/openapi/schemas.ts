import { openApi, type OpenApiPart } from '@packhouse/base';
import { taggingErrors } from '../../model/tagging-error.ts';

const { list, object, reference, text, time } = openApi;

/** The properties of a resource type that the document shows. */
export interface DocumentedType {
  readonly type: string;
  readonly level: 'account' | 'zone';
  readonly parent?: string;
}

const sampleId = 'k3v9p0x2m7q4w8zt';
const sampleTags = { environment: 'production', team: 'platform' };

/** Chooses a type without a parent for examples. */
function sampleType(types: readonly DocumentedType[]): string {
  const usual = types.find(({ type }) => type === 'repository' || type === 'dns_record');
  return (usual ?? types.find(({ parent }) => parent === undefined) ?? types[0])?.type ?? '';
}

/** An example of a resource of one level, as in a reply. */
function sampleResource(level: DocumentedType['level'], types: readonly DocumentedType[]): OpenApiPart {
  const type = sampleType(types.filter((one) => one.level === level));
  return {
    id: sampleId,
    type,
    name: type === 'repository' ? 'default/notes' : type === 'dns_record' ? 'www.shop.example' : sampleId,
    tags: sampleTags,
    etag: 'v1:TQa2wNntoLzkR3dLOCiIug',
    ...(level === 'zone' && { zone_id: 'z9' }),
    tags_updated_at: time['example'],
  };
}
const parentWords = (parent: string, types: readonly DocumentedType[]): string =>
  `With ${types.flatMap((one) => (one.parent === parent ? [one.type] : [])).join(', ')}`;

/** `resource_id` and parents (TAG-140). */
const idSchema = text({ minLength: 1, maxLength: 1024 });

/** Returns the distinct names of parent members. */
export function parentsOf(types: readonly DocumentedType[]): readonly string[] {
  return [...new Set(types.flatMap(({ parent }) => parent ?? []))];
}

/** Members of a body or parameters of a query that identify a resource. */
export function identitySchemas(types: readonly DocumentedType[]): Readonly<Record<string, OpenApiPart>> {
  return {
    resource_type: text({ enum: types.map(({ type }) => type), example: sampleType(types) }),
    resource_id: { ...idSchema, example: sampleId },
    ...Object.fromEntries(
      parentsOf(types).map((parent) => [parent, { ...idSchema, description: parentWords(parent, types) }]),
    ),
  };
}

/** Schema of the body of a set, or of a delete if `withTags` is false (sections 5 and 7 of `tagging.md`). */
export function bodySchema(types: readonly DocumentedType[], withTags: boolean): OpenApiPart {
  const identity = identitySchemas(types);
  if (!withTags) return object(identity, ['resource_type', 'resource_id']);
  const tags = {
    type: 'object',
    description: 'All tags that the resource is to have; those not in here are removed',
    propertyNames: { minLength: 1, maxLength: 256, pattern: '^[\\p{L}\\p{Nd}_.-]+$' },
    additionalProperties: text({ maxLength: 1024 }),
    example: sampleTags,
  };
  return object({ ...identity, tags }, ['resource_type', 'resource_id', 'tags']);
}

/** Named schemas of replies (section 4 of `tagging.md`). */
export function namedSchemas(types: readonly DocumentedType[]): Readonly<Record<string, OpenApiPart>> {
  const parents = parentsOf(types).map((parent) => [parent, text({ description: parentWords(parent, types) })]);
  const [code, message] = [{ type: 'integer', minimum: 1000 }, text({})];
  return {
    TaggedResource: {
      ...object(
        {
          id: text({}),
          // Not an enum, since lists also have records of removed types.
          type: text({ description: 'Its type' }),
          name: text({}),
          tags: { type: 'object', additionalProperties: text({}) },
          etag: text({ pattern: '^v1:[A-Za-z0-9_-]{22}$' }),
          zone_id: text({ description: 'With types of zones' }),
          ...Object.fromEntries(parents),
          tags_updated_at: { ...time, description: 'Where tags have been set' },
        },
        ['id', 'type', 'name', 'tags', 'etag'],
      ),
    },
    TagSummary: object({
      key: text({ example: 'environment' }),
      values: list(text({}), { example: ['production', 'staging'] }),
    }),
    TagListInfo: object({
      count: { type: 'integer', minimum: 0, maximum: 100 },
      cursor: { type: ['string', 'null'], maxLength: 1024 },
      cursors: object({ after: { type: ['string', 'null'], maxLength: 1024 } }),
    }),
    TagFailure: object({
      result: { type: 'null' },
      success: { const: false },
      errors: list(
        object(
          {
            code,
            message,
            documentation_url: text({}),
            source: object({ pointer: text({}) }),
            // Not an enum, since checks before those of tagging have other reasons.
            reason: text({ example: taggingErrors.noMatch.reason }),
            retryable: { type: 'boolean' },
            hint: text({}),
          },
          ['code', 'message', 'reason', 'retryable', 'hint'],
        ),
        { minItems: 1, maxItems: 1 },
      ),
      messages: list(object({ code, message }), { maxItems: 1 }),
    }),
  };
}

export type TagResult = 'resource' | 'resources' | 'keys' | 'values' | 'summary';

/** Schema of a successful result, with an example of the level. */
export function resultSchema(
  result: TagResult,
  level: DocumentedType['level'],
  types: readonly DocumentedType[],
): OpenApiPart {
  const resource = { ...reference('TaggedResource'), example: sampleResource(level, types) };
  if (result === 'resource') return resource;
  if (result === 'resources') return list(resource, { maxItems: 100 });
  if (result === 'summary') return list(reference('TagSummary'), { maxItems: 100 });
  const example = result === 'keys' ? ['environment', 'team'] : ['production', 'staging'];
  return list(text({}), { maxItems: 100, example });
}

export const failureReference: OpenApiPart = reference('TagFailure');

/** Schema of a successful reply (REPO-033). */
export function successEnvelope(result: OpenApiPart, isList: boolean): OpenApiPart {
  const none = list({}, { maxItems: 0 });
  const members = { result, success: { const: true }, errors: none, messages: none };
  return object({ ...members, ...(isList && { result_info: reference('TagListInfo') }) });
}
