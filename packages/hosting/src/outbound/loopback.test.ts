import { expect, it } from 'vitest';
import { isLoopback } from './loopback.ts';

const isHere = (url: string, subdomains?: boolean): boolean =>
  isLoopback(new URL(url).hostname, subdomains === undefined ? {} : { subdomains });

it.each(['http://127.0.0.1:1', 'http://127.1', 'http://127.255.3.4', 'http://[0:0::1]', 'http://LOCALHOST'])(
  'accepts %s as this machine, also for secrets',
  (url) => {
    expect([isHere(url), isHere(url, false)]).toEqual([true, true]);
  },
);

it.each(['http://x.localhost', 'http://a.b.LocalHost:1'])('does not trust %s with secrets', (url) => {
  expect([isHere(url), isHere(url, false)]).toEqual([true, false]);
});

it.each([
  'http://127.0.0.1.example',
  'http://128.0.0.1',
  'http://0.0.0.0',
  'http://[::]',
  'http://[::2]',
  'http://[::ffff:127.0.0.1]',
  'http://localhost.',
  'http://notlocalhost',
  'http://localhost.example',
])('rejects %s', (url) => {
  expect([isHere(url), isHere(url, false)]).toEqual([false, false]);
});
