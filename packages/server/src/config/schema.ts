import { configType } from '@packhouse/router';
import type { Member, ValueType } from '@packhouse/base';

/** A JSON Schema (draft 2020-12), as plain data. */
export type JsonSchema = { readonly [name: string]: unknown };

/** Makes the schema of the configuration file from the table that the check uses. */
export function configSchema(): JsonSchema {
  const schema = schemaOf(configType);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Packhouse server configuration',
    ...schema,
    properties: { $schema: { type: 'string' }, ...(schema['properties'] as JsonSchema) },
  };
}

function schemaOf(type: ValueType): JsonSchema {
  switch (type.kind) {
    case 'boolean':
      return { type: 'boolean' };
    case 'integer':
      return { type: 'integer', minimum: type.min, maximum: type.max };
    case 'string':
      return { type: 'string', pattern: `^(?:${type.form})$` };
    case 'rule':
      return type.rule.schema;
    case 'one of':
      return { enum: type.values };
    case 'list':
      return { type: 'array', items: schemaOf(type.of), ...(type.min === undefined ? {} : { minItems: type.min }) };
    case 'object': {
      const required = Object.entries(type.members).flatMap(([name, member]) =>
        member.required === true ? [name] : [],
      );
      return {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(type.members).map(([name, member]) => [name, memberSchema(member)]),
        ),
        additionalProperties: false,
        ...(required.length === 0 ? {} : { required }),
        ...conditionsOf(type),
      };
    }
  }
}

function conditionsOf({ exactlyOne = [], narrowed }: Extract<ValueType, { kind: 'object' }>): JsonSchema {
  const conditions: JsonSchema[] = exactlyOne.map((group) => ({ oneOf: group.map((name) => ({ required: [name] })) }));
  if (narrowed !== undefined) {
    const { where, member, type } = narrowed;
    conditions.push({ anyOf: [{ not: { required: [where] } }, { properties: { [member]: schemaOf(type) } }] });
  }
  return conditions.length === 0 ? {} : { allOf: conditions };
}

function memberSchema(member: Member): JsonSchema {
  return {
    ...(member.description === undefined ? {} : { description: member.description }),
    ...schemaOf(member.type),
    ...(member.default === undefined ? {} : { default: member.default }),
  };
}
