import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { statementCounter } from './database-proxy.ts';
import { parseSharedOptions, sharedMeasures } from './options.ts';
import { plotServers, renderCosts, renderServers } from './table.ts';

it('the command line has defaults and accepts every option', () => {
  expect(parseSharedOptions([])).toEqual({
    only: [...sharedMeasures],
    rounds: 30,
    requests: 1_000,
    servers: [1, 2, 4],
    repositories: [1_000, 10_000, 100_000],
    plots: undefined,
    out: undefined,
    help: false,
  });
  const args = ['--only', 'servers', '--only', 'counts', '--rounds', '2', '--requests', '9', '--servers', '2'];
  expect(parseSharedOptions([...args, '--repositories', '5,6', '--plots', 'p', '--out', 'x', '--help'])).toEqual({
    only: ['servers', 'counts'],
    rounds: 2,
    requests: 9,
    servers: [2],
    repositories: [5, 6],
    plots: 'p',
    out: 'x',
    help: true,
  });
});

it.each([
  ['--only', 'clones'],
  ['--servers', '2,1'],
  ['--servers', '0'],
  ['--repositories', '10,10'],
  ['--rounds', 'many'],
])('the command line refuses %s %s', (...args) => {
  expect(() => parseSharedOptions(args)).toThrow(args[0]);
});

const message = (type: string, size: number): Buffer => {
  const bytes = Buffer.alloc(type.length + 4 + size, 'Q');
  bytes.write(type, 'latin1');
  bytes.writeUInt32BE(4 + size, type.length);
  return bytes;
};

const types = fc.constantFrom('Q', 'P', 'B', 'D', 'E', 'S', 'X');
const messages = fc.array(fc.tuple(types, fc.nat({ max: 300 })), { maxLength: 30 });

test.prop([messages, fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1 })])(
  'counts queries and executions, wherever the chunks of a connection end',
  (sent, sizes) => {
    const bytes = Buffer.concat([message('', 40), ...sent.map(([type, size]) => message(type, size))]);
    const count = statementCounter();
    let counted = 0;
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = sizes[turn % sizes.length] as number;
      counted += count(bytes.subarray(at, at + size));
      at += size;
    }
    expect(counted).toBe(sent.filter(([type]) => type === 'Q' || type === 'E').length);
  },
);

const cells = (text: string): readonly (readonly string[])[] =>
  text.split('\n').map((line) => line.trim().split(/ {2,}/));

it('the tables show costs of a request, and the part of the database', () => {
  const costs = [{ title: 'create', statements: 7, roundTrips: 5, puts: 0, gets: 1 }];
  expect(cells(renderCosts(costs))).toEqual([
    ['request', 'statements', 'round trips', 'PUTs', 'GETs'],
    ['create', '7', '5', '0', '1'],
  ]);
  const rows = [1, 2].map((servers) => ({
    title: 'pushes',
    servers,
    perSecond: 100 * servers,
    serverTime: 6,
    databaseTime: 2,
    statements: 8,
    bucketTime: 3,
    objectCalls: servers - 1,
  }));
  const [, none, some] = cells(renderServers(rows));
  expect(none?.slice(6)).toEqual(['0.250', '-']);
  expect(some).toEqual(['pushes', '2', '200', '6.00', '2.00', '25 %', '0.250', '3.00']);
  expect(plotServers(rows)).toContain('>requests a second<');
});
