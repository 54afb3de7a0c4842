import type { Catalog } from '@packhouse/hosting';

/** The same method with the name of the account before its own arguments. */
type OfAccount<Method> = Method extends (...given: infer Given) => infer Result
  ? (account: string, ...given: Given) => Result
  : never;

/** The calls of a `CatalogObject`: one a method of the port. Its errors mean nothing to a caller, so none are values. */
export type CatalogCalls = { [Name in keyof Catalog]: OfAccount<Catalog[Name]> };
