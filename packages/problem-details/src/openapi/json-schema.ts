/** The part of JSON Schema that means the same in OpenAPI 3.0 and 3.1: hence `enum` for a constant. */
export interface JsonSchema {
  type: 'object' | 'string' | 'integer' | 'boolean';
  description?: string;
  format?: string;
  pattern?: string;
  enum?: (string | number | boolean)[];
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** The place of a schema that is registered once in a document. */
export interface SchemaReference {
  $ref: string;
}
