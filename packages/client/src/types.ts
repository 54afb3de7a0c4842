import type { components, operations } from './schema.ts';

/** The schemas of the OpenAPI document by name, such as `Schemas['RepoInfo']`. */
export type Schemas = components['schemas'];

type Operations = operations;
export type OperationId = keyof Operations;

type JsonOf<Reply> = Reply extends { content: { readonly 'application/json': infer Json } } ? Json : never;

/** The `result` of an operation, by its id in the OpenAPI document. */
export type ResultOf<Id extends OperationId> = {
  [Status in keyof Operations[Id]['responses']]: Status extends 'default'
    ? never
    : JsonOf<Operations[Id]['responses'][Status]> extends { readonly success: true; readonly result: infer Result }
      ? Result
      : never;
}[keyof Operations[Id]['responses']];

/** The JSON body of an operation. */
export type BodyOf<Id extends OperationId> = Operations[Id] extends {
  readonly requestBody: { readonly content: { readonly 'application/json': infer Body } };
}
  ? Body
  : never;

/** The query parameters of an operation. */
export type QueryOf<Id extends OperationId> = NonNullable<Operations[Id]['parameters']['query']>;

/** The query parameters of a list, without those that the iterator sends. */
export type ListQueryOf<Id extends OperationId> = Omit<QueryOf<Id>, 'cursor' | 'page'>;

/** The item of a list. */
export type ItemOf<Id extends OperationId> = ResultOf<Id> extends readonly (infer Item)[] ? Item : never;

/** Options of one call. */
export interface CallOptions {
  /** Ends the request and its retries. */
  readonly signal?: AbortSignal;
}
