import { expect, it } from 'vitest';
import { dropConnectionHeaders } from './connection-headers.ts';

function left(given: Record<string, string>): object {
  const headers = new Headers(given);
  dropConnectionHeaders(headers);
  return Object.fromEntries(headers);
}

it('drops headers about the connection, and those that Connection names', () => {
  const named = { Connection: 'close, X-Mine ,', 'X-Mine': '1', 'Keep-Alive': '5', 'Transfer-Encoding': 'chunked' };
  const gone = { ...named, TE: 'trailers', Expect: '100-continue', Host: 'shop.example' };
  expect(left({ ...gone, 'X-Theirs': '2', Accept: '*/*' })).toEqual({
    'x-theirs': '2',
    accept: '*/*',
  });
});

it('leaves requests to change protocols to the runtime', () => {
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
  expect(left({ ...upgrade, 'Keep-Alive': '5' })).toEqual(upgrade);
});

it('ignores invalid names', () => {
  expect(left({ Connection: 'a b, "c", é, x', 'X-Theirs': '2' })).toEqual({ 'x-theirs': '2' });
});
