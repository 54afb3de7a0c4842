import type { Catalog } from '@packhouse/hosting';
import type { HolderCalls } from './holder-calls.ts';
import type { OfAccount } from './of-account.ts';
import type { TagCalls } from './tag-calls.ts';

/** The calls of a `CatalogObject`: one a method of its ports. Their errors mean nothing to a caller, so none are values. */
export type CatalogCalls = { [Name in keyof Catalog]: OfAccount<Catalog[Name]> } & TagCalls & HolderCalls;
