import { afterEach, describe, expect, it } from 'vitest';
import { createMock } from '../../src/index.ts';
import { send } from '../store/clocked-mock.ts';
import { bare } from '../store/steps.ts';

const mock = createMock({ baseUrl: 'https://api.example.test', seed: { repos: { notes: {} } } });
afterEach(() => mock.store.reset());

const status = async (authorization: string): Promise<unknown> => {
  const url = `${mock.store.remote('notes')}/info/refs?service=git-upload-pack`;
  return (await send(mock.handlers, { method: 'GET', url, headers: { authorization } })).status;
};

describe('a token of a repo that expires', () => {
  it.each<[string, (token: string) => string]>([
    ['a bearer', (token) => `Bearer ${token}`],
    ['a bearer without its expiry', (token) => `bearer   ${bare(token)} `],
    ['a bearer as it stands in a URL', (token) => `Bearer ${encodeURIComponent(token)}`],
    ['a password', (token) => `Basic ${btoa(`x:${token}`)}`],
    ['a password without its expiry', (token) => `BASIC ${btoa(`:${bare(token)}`)}`],
    ['a password as it stands in a URL', (token) => `Basic ${btoa(`x:${encodeURIComponent(token)}`)}`],
  ])('recognises %s', async (_, present) => {
    const token = await mock.store.createToken('notes');
    expect(await status(present(token))).toBe(200);
    mock.faults.add({ kind: 'expired token', token: bare(token), times: 1 });
    expect([await status(present(token)), await status(present(token))]).toEqual([403, 200]);
    mock.faults.add({ kind: 'expired token', token, times: 1 });
    expect([await status(present(token)), await status(present(token))]).toEqual([403, 200]);
  });

  it('GIT-022, GIT-024: does not recognise other headers', async () => {
    const token = bare(await mock.store.createToken('notes'));
    mock.faults.add({ kind: 'expired token', times: 1 });
    for (const authorization of [
      `Basic ${btoa(token)}`,
      `Basic ${btoa(`${token}:`)}`,
      `Basic ${btoa(`x:${token}`)}=`,
      'Bearer ?expires=1',
      `Token ${token}`,
    ]) {
      expect([authorization, await status(authorization)]).toEqual([authorization, 401]);
    }
    expect(mock.faults.current).toHaveLength(1);
  });
});
