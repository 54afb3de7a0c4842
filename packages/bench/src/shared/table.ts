import { plot } from '../report/plot.ts';
import { alignColumns } from '../report/table.ts';
import type { RequestCosts } from './measure-requests.ts';
import type { RepositoriesRow } from './measure-repositories.ts';
import type { ServersRow } from './measure-servers.ts';

/** Formats what each kind of request costs database and bucket. */
export const renderCosts = (rows: readonly RequestCosts[]): string =>
  alignColumns([
    ['request', 'statements', 'round trips', 'PUTs', 'GETs'],
    ...rows.map(({ title, statements, roundTrips, puts, gets }) => [
      title,
      ...[statements, roundTrips, puts, gets].map(String),
    ]),
  ]);

/** Formats rates of several servers, and the processor time of a request. */
export const renderServers = (rows: readonly ServersRow[]): string =>
  alignColumns([
    [
      'requests',
      'servers',
      'a second',
      'ms of servers',
      'ms of database',
      "database's share",
      'ms of a statement',
      'ms of an object call',
    ],
    ...rows.map(({ title, servers, perSecond, serverTime, databaseTime, statements, bucketTime, objectCalls }) => [
      title,
      String(servers),
      perSecond.toFixed(0),
      serverTime.toFixed(2),
      databaseTime.toFixed(2),
      `${((100 * databaseTime) / (serverTime + databaseTime)).toFixed(0)} %`,
      (databaseTime / statements).toFixed(3),
      objectCalls === 0 ? '-' : (bucketTime / objectCalls).toFixed(2),
    ]),
  ]);

/** Formats medians beside many repositories. */
export const renderRepositories = (rows: readonly RepositoriesRow[]): string =>
  alignColumns([
    ['repositories', 'create, ms', 'list of 50, ms', 'push, ms'],
    ...rows.map(({ repositories, create, list, push }) => [
      String(repositories),
      ...[create, list, push].map((ms) => ms.toFixed(1)),
    ]),
  ]);

/** Draws requests a second by the number of servers. */
export const plotServers = (rows: readonly ServersRow[]): string => {
  const lines = [...Map.groupBy(rows, ({ title }) => title)].map(([title, some]) => ({
    title,
    points: some.map(({ servers, perSecond }) => [servers, perSecond] as const),
  }));
  return plot('Requests a second on two processors, by servers', lines, { x: 'servers', y: 'requests a second' });
};

/** Draws milliseconds by the number of repositories. */
export const plotRepositories = (rows: readonly RepositoriesRow[]): string => {
  const lines = (['create', 'list', 'push'] as const).map((title) => ({
    title,
    points: rows.map((row) => [row.repositories, row[title]] as const),
  }));
  return plot('Milliseconds of a request, by repositories', lines, { x: 'repositories', y: 'ms' });
};
