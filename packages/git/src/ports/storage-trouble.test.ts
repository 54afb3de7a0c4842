import { DatabaseUnavailable } from '@packhouse/base';
import { describe, expect, it } from 'vitest';
import { StorageError } from './pack-store.ts';
import { StorageGoneError, storageTrouble } from './storage-trouble.ts';

const systemError = (code: string): Error => Object.assign(new Error(`${code}: write`), { code });

describe('storageTrouble', () => {
  it.each([
    [systemError('ENOSPC'), 'disk full'],
    [systemError('EDQUOT'), 'disk full'],
    [systemError('EFBIG'), 'disk full'],
    [Object.assign(new Error('full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'disk full'],
    [new Error('database or disk is full'), 'disk full'],
    [systemError('EMFILE'), 'too many open files'],
    [systemError('ENFILE'), 'too many open files'],
    [new StorageGoneError(), 'storage is gone'],
    [new DatabaseUnavailable('ECONNREFUSED', false), 'storage is unavailable'],
    [systemError('EIO'), undefined],
    [Object.assign(new Error('busy'), { errcode: 5 }), undefined],
    ['ENOSPC', undefined],
  ] as const)('REPO-178: finds what is wrong in %s, and behind it', (error, trouble) => {
    expect(storageTrouble(error)).toBe(trouble);
    expect(storageTrouble(new StorageError('Cannot store', { cause: error }))).toBe(trouble);
  });

  it('ends on an error that is its own cause', () => {
    const error = new Error('loop');
    error.cause = error;
    expect(storageTrouble(error)).toBeUndefined();
  });
});
