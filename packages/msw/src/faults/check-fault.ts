import type { Catalogue } from '@packhouse/problem-details';
import { MockOptionsError } from '../options/origin.ts';
import { shown } from '../values/shown.ts';
import type { Fault } from './fault.ts';
import { longestPause } from './pause.ts';

/** The kinds of faults that a mock knows, each with its members apart from those of `FaultScope`. */
export type FaultMembers = Readonly<Partial<Record<Fault['kind'], readonly string[]>>>;

/** The faults that need no service. */
export const platformFaults: FaultMembers = {
  'platform error': ['code', 'retryAfter'],
  latency: ['milliseconds'],
  'dropped connection': [],
  'rate limit': ['retryAfter'],
};

/** The faults of a service that has tokens and content. */
export const serviceFaults: FaultMembers = {
  ...platformFaults,
  'dropped connection': ['lost'],
  'expired token': ['token'],
  'changed page': ['add'],
};

/** The faults of a service that has repos. */
export const repoFaults: FaultMembers = { ...serviceFaults, 'changed page': ['add', 'remove'] };

/** The faults that a mock can have. */
export interface PossibleFaults {
  readonly members: FaultMembers;
  /** The catalogue of platform errors. */
  readonly catalogue: Catalogue;
}

const scope = ['kind', 'method', 'path', 'times'];

/**
 * Checks a fault. A misspelt fault would have no effect, and the test that relies on it would prove nothing.
 *
 * @throws {MockOptionsError} for an impossible fault.
 */
export function checkFault(place: string, fault: Fault<unknown>, { members: known, catalogue }: PossibleFaults): void {
  const demand = (holds: boolean, sentence: string): void => {
    if (!holds) throw new MockOptionsError(`${place}: ${sentence}`);
  };
  demand(isObject(fault), `expected a fault, which is an object with a kind, got ${shown(fault)}`);
  const own = Object.hasOwn(known, fault.kind) ? known[fault.kind] : undefined;
  demand(own !== undefined, `kind: expected one of ${listed(Object.keys(known))}, got ${shown(fault.kind)}`);
  const members = [...scope, ...(own ?? [])];
  for (const name of Object.keys(fault)) {
    demand(members.includes(name), `${name}: a fault of kind ${shown(fault.kind)} has ${listed(members)} alone`);
  }
  checkScope(fault, demand);
  switch (fault.kind) {
    case 'platform error':
      demand(
        catalogue.get(fault.code) !== undefined,
        `code: ${shown(fault.code)} is no code of a platform error; there are 522, 1015 and others (docs/errors.md)`,
      );
      demand(fault.retryAfter === undefined || isWhole(fault.retryAfter, 1), 'retryAfter: expected whole seconds');
      break;
    case 'rate limit':
      demand(isWhole(fault.retryAfter, 1), 'retryAfter: expected whole seconds, at least 1');
      break;
    case 'latency':
      demand(
        isWhole(fault.milliseconds, 0) && fault.milliseconds <= longestPause,
        `milliseconds: expected a whole number of at most ${longestPause}`,
      );
      break;
    case 'dropped connection':
      demand([undefined, 'request', 'reply'].includes(fault.lost), `lost: expected "request" or "reply"`);
      break;
    case 'expired token':
      demand(fault.token === undefined || isText(fault.token), 'token: expected a token, or nothing for all tokens');
      break;
    case 'changed page':
      demand(fault.add !== undefined || fault.remove !== undefined, `a change needs ${listed(own ?? [], 'or')}`);
      demand(fault.add === undefined || isObject(fault.add), 'add: expected a seed');
      demand(
        fault.remove === undefined || (Array.isArray(fault.remove) && fault.remove.every(isText)),
        'remove: expected a list of repos, such as ["notes", "team/api"]',
      );
      break;
  }
}

function checkScope({ method, path, times }: Fault<unknown>, demand: (holds: boolean, sentence: string) => void): void {
  demand(times === undefined || isWhole(times, 1), 'times: expected a whole number of at least 1');
  demand(method === undefined || isText(method), 'method: expected one such as POST, or nothing for all methods');
  if (path === undefined) return;
  demand(
    isText(path) && /^[/*]/.test(path),
    `path: expected one that begins with / or *, such as */tags/*, got ${shown(path)}`,
  );
  demand(!/[?#]/.test(path), `path: expected one without a query, got ${shown(path)}; faults are for each query`);
  const encoded = new URL(`http://host.invalid/${path}`).pathname.slice(1);
  demand(encoded === path, `path: requests write ${shown(path)} as ${shown(encoded)}`);
}

function isWhole(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listed(names: readonly string[], word = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}
