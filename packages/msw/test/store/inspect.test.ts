import { expect, it } from 'vitest';
import { createMock, type ListReply, type TokenInfo } from '../../src/index.ts';
import { send } from './clocked-mock.ts';

it('TOKEN-007, TOKEN-010: tokens have the state that the API reports, by the clock of the mock', async () => {
  let now = Date.UTC(2026, 0, 1);
  const mock = createMock({
    baseUrl: 'https://api.example.test',
    clock: { now: () => now },
    seed: { repos: { notes: {} } },
  });
  await mock.store.createToken('notes', { ttl: 60 });
  await mock.store.createToken('notes', { ttl: 3600 });
  now += 61_000;
  const url = `${mock.restUrl}/namespaces/default/repos/notes/tokens?state=all`;
  const { text } = await send(mock.handlers, { method: 'GET', url, headers: { authorization: 'Bearer any' } });
  const tokens = await mock.store.inspect.tokens('notes');
  expect(tokens).toEqual((JSON.parse(text) as ListReply<TokenInfo>).result);
  expect(tokens.map(({ state }) => state)).toContain('expired');
});
