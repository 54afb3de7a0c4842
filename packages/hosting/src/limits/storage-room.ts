import type { Context } from '../internal/context.ts';

/** Bytes that may still be stored in an account (LIM-012). Never negative. */
export async function storageRoom(
  { catalog, settings }: Pick<Context, 'catalog' | 'settings'>,
  account: string,
): Promise<number> {
  return Math.max(0, settings.account_storage_max - (await catalog(account).storedBytes()));
}
