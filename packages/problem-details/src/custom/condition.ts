import { zoneOf } from '../problem/zone.ts';
import { integerIn, isToken, listOf, membersOf, oneOf, type Refuse } from './check.ts';
import { readHeaderCondition } from './header-condition.ts';
import type { ErrorFacts } from './rule.ts';

/** Input of conditions. */
export interface Subject {
  readonly error: ErrorFacts;
  readonly request: Request;
  /** Returns the decoded path, computed at the first call. */
  readonly path: () => string;
}

/** A checked condition. Never throws. */
export type Predicate = (subject: Subject) => boolean;

type Reader<T> = (value: unknown, member: string) => T;

const errorTypes = {
  '1xxx': (code: number): boolean => code >= 1000 && code <= 1999,
  '5xx': (code: number): boolean => code >= 500 && code <= 599,
};
const errorTypeNames = ['1xxx', '5xx'] as const;

/** Makes a predicate of one member of a condition from the items of its list (ERR-101 to ERR-103). */
const readers: Readonly<Record<string, (list: <T>(item: Reader<T>) => readonly T[], refuse: Refuse) => Predicate>> = {
  codes: (list, refuse) => {
    const codes = new Set(list((value, member) => integerIn(value, member, 500, 999_999_999, refuse)));
    return ({ error }) => codes.has(error.code);
  },
  error_types: (list, refuse) => {
    const types = list((value, member) => oneOf(value, member, errorTypeNames, refuse));
    return ({ error }) => types.some((type) => errorTypes[type](error.code));
  },
  statuses: (list, refuse) => {
    const statuses = new Set(list((value, member) => integerIn(value, member, 400, 599, refuse)));
    return ({ error }) => statuses.has(error.status);
  },
  hosts: (list, refuse) => {
    const hosts = list((value, member) => readHost(value, member, refuse));
    // A zone never begins with a point, so `*.` stands for at least one label.
    return ({ error: { zone } }) =>
      hosts.some((host) => (host.startsWith('*.') ? zone.endsWith(host.slice(1)) : zone === host));
  },
  path_prefixes: (list, refuse) => {
    const prefixes = list((value, member) => readPrefix(value, member, refuse));
    return ({ path }) => prefixes.some((prefix) => path().startsWith(prefix));
  },
  methods: (list, refuse) => {
    const methods = new Set(list((value, member) => readMethod(value, member, refuse)));
    return ({ request }) => methods.has(request.method);
  },
  headers: (list, refuse) => {
    const conditions = list((value, member) => readHeaderCondition(value, member, refuse));
    return ({ request }) => conditions.every((matches) => matches(request.headers));
  },
};

const readHost = (value: unknown, member: string, refuse: Refuse): string => {
  if (typeof value !== 'string') return refuse(member, 'must be text');
  const lower = value.toLowerCase();
  const host = lower.startsWith('*.') ? lower.slice(2) : lower;
  const zone = zoneOf(host);
  if (zone === '') refuse(member, 'must be a host name, or one after a leading *.');
  if (zone !== host) refuse(member, `must be written in ASCII form, without port and final dot: ${zone}`);
  return lower;
};

const readPrefix = (value: unknown, member: string, refuse: Refuse): string =>
  typeof value === 'string' && value.startsWith('/') ? value : refuse(member, 'must be text that begins with /');

const readMethod = (value: unknown, member: string, refuse: Refuse): string =>
  isToken(value) && value === value.toUpperCase() ? value : refuse(member, 'must be a method in upper case');

/** Checks a declarative condition and compiles it to a predicate. All its members must match (ERR-101). */
export const readCondition = (value: unknown, refuse: Refuse): Predicate => {
  const members = membersOf(value, 'when', Object.keys(readers), refuse);
  const predicates: Predicate[] = [];
  for (const [name, read] of Object.entries(readers)) {
    if (!members.has(name)) continue;
    predicates.push(read((item) => listOf(members.get(name), `when.${name}`, item, refuse), refuse));
  }
  return (subject) => predicates.every((matches) => matches(subject));
};
