import { DatabaseUnavailable, MigrationError } from '@packhouse/base';
import { expect, it } from 'vitest';
import { sharedStorageError } from './open-pack-place.ts';

it.each([
  [new DatabaseUnavailable('28P01', false), 'user or the password'],
  [new DatabaseUnavailable('3D000', false), 'no database of this name'],
  [new DatabaseUnavailable('ECONNREFUSED', false), 'Check that PostgreSQL runs'],
  [new MigrationError('never', 'The database is empty'), 'Check which database'],
  [new MigrationError('older', 'The database is older'), 'Start a server of this release first'],
  [new MigrationError('newer', 'The database is newer'), 'a release no older'],
])('tells an operator what to do after: %s', (error, advice) => {
  const { message, hint } = sharedStorageError(error, { kind: 'folder', path: '/mnt/packs' });
  expect([message, hint]).toEqual([`${error.message}.`, expect.stringContaining(advice)]);
});
