/** The part of JSON Schema with the same meaning in OpenAPI 3.0 and 3.1, hence `enum` for a constant. */
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

/** Reference to a schema that the document registers once. */
export interface SchemaReference {
  $ref: string;
}
