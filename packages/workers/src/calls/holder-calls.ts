import type { PackHolders } from '@packhouse/storage/workers';
import type { OfAccount } from './of-account.ts';

/** The calls about packs that repositories of an account have in common: one a method of the port. */
export interface HolderCalls {
  readonly holdPacks: OfAccount<PackHolders['hold']>;
  readonly releasePacks: OfAccount<PackHolders['release']>;
  readonly dropHolder: OfAccount<PackHolders['drop']>;
  readonly heldPacks: OfAccount<PackHolders['held']>;
}
