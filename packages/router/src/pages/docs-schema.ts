/** The part of JSON Schema that the OpenAPI document uses. */
export interface DocumentedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly description?: string;
  readonly maxItems?: number;
  readonly oneOf?: readonly DocumentedSchema[];
  readonly items?: DocumentedSchema;
  readonly properties?: Readonly<Record<string, DocumentedSchema>>;
  readonly required?: readonly string[];
}

/** Schemas by the names that `$ref` uses. */
export type NamedSchemas = Readonly<Record<string, DocumentedSchema>>;

/** Describes the values of a schema in a few words: `integer, 1 to 200, default 50`. */
export function schemaWords(schema: DocumentedSchema): string {
  const { type, minimum, maximum, minLength, maxLength, pattern, items, maxItems, oneOf } = schema;
  if (oneOf !== undefined) return oneOf.map(schemaWords).join(', or ');
  if (items !== undefined) {
    return `${maxItems === undefined ? 'any number' : `up to ${maxItems}`}, each ${schemaWords(items)}`;
  }
  const words = [
    ...(schema.enum === undefined ? [[type ?? 'any'].flat().join(' or ')] : [`one of ${schema.enum.join(', ')}`]),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...(pattern === undefined ? [] : [`matches ${pattern}`]),
    ...(schema.default === undefined ? [] : [`default ${String(schema.default)}`]),
  ];
  return words.join(', ');
}

function range(from: number | undefined, to: number | undefined, unit: string): string[] {
  if (from !== undefined && to !== undefined) return [`${from} to ${to}${unit}`];
  if (from !== undefined) return [`at least ${from}${unit}`];
  return to === undefined ? [] : [`at most ${to}${unit}`];
}

/** Returns a sample value of a schema. A schema without an example takes the value that `names` has for the member. */
export function sampleOf(
  schema: DocumentedSchema,
  schemas: NamedSchemas,
  names: Readonly<Record<string, unknown>>,
  name = '',
): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined)
    return sampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, names, name);
  if (Object.hasOwn(names, name) && schema.properties === undefined) return names[name];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.oneOf?.[0] !== undefined) return sampleOf(schema.oneOf[0], schemas, names, name);
  if (schema.items !== undefined) return [sampleOf(schema.items, schemas, names)];
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([member, one]) => [member, sampleOf(one, schemas, names, member)]),
    );
  }
  const types = [schema.type ?? 'null'].flat();
  if (types.includes('null')) return null;
  if (types.includes('integer')) return schema.minimum ?? 1;
  return types.includes('boolean') ? false : 'text';
}
