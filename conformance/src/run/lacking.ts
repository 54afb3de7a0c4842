import { isDeepStrictEqual } from 'node:util';
import { areaOf, type Area } from '../core/area.ts';
import type { Case, Need } from '../core/case.ts';
import type { Target } from '../core/target.ts';
import { hasNames } from '../service/git-server.ts';

/** The needs that a target and this machine meet, beyond a service, an account and its API token. */
export interface Offered {
  readonly target: Target;
  /** True if stock `git` can be run. */
  readonly git: boolean;
}

/** Returns why a case cannot run, for the report; undefined if it can. */
export function lacking(
  testCase: Pick<Case, 'id' | 'needs' | 'settings' | 'readOnly'>,
  offered: Offered,
): string | undefined {
  const { settings = {}, needs = [] } = testCase;
  const { areas, readOnly } = offered.target;
  const area = areaOf(testCase);
  if (areas?.includes(area) === false) {
    return area === 'git' && readOnly === true ? lackingReasons['repo to read']({}) : withoutArea[area];
  }
  if (readOnly === true && testCase.readOnly !== true) return 'needs a run that may write';
  const isDeclared = Object.entries(settings).every(([name, value]) =>
    isDeepStrictEqual(offered.target.settings?.[name], value),
  );
  const all = new Set<Need>(isDeclared ? needs.filter((need) => need !== 'settings') : [...needs, 'settings']);
  for (const need of all) {
    if (!isThere(need, offered)) return lackingReasons[need](settings);
  }
  return undefined;
}

/** Returns true for a service with REST, and not a Git server, zone or tagging API alone. */
export function hasControlPlane({ git, areas }: Pick<Target, 'git' | 'areas'>): boolean {
  return git === undefined && areas?.includes('rest') !== false;
}

function isThere(need: Need, { target, git }: Offered): boolean {
  const listens = target.listens ?? target.fetch === undefined;
  switch (need) {
    case 'control plane':
      return hasControlPlane(target);
    case 'fresh repo':
      return target.git === undefined || hasNames(target.git);
    case 'repo to read':
      return target.git !== undefined && target.readOnly === true;
    case 'origin':
      return listens;
    case 'git':
      return listens && git;
    case 'read token':
      return target.readToken !== undefined;
    case 'other account':
      return target.other !== undefined;
    case 'settings':
      return target.configured !== undefined;
    case 'event sink':
      return target.configured !== undefined && target.lacks?.includes(need) !== true;
    case 'zone':
      return target.zone !== undefined;
    case 'zone id':
      return target.zoneId !== undefined;
    case 'binding':
      return target.binding !== undefined;
    case 'import remote':
      return target.importRemote !== undefined;
    case 'import url':
      return target.importUrl !== undefined;
    case 'maintenance':
    case 'streaming':
      return target.lacks?.includes(need) !== true;
  }
}

const planeMissing = 'needs a control plane (URL)';
const zoneMissing = 'needs a hostname that serves platform errors (--zone)';
const probeMissing = 'needs a probe beside the binding (--binding-url, CONFORMANCE_BINDING_SECRET)';

/** Why a case cannot run on a target without its area. */
export const withoutArea: Readonly<Record<Area, string>> = {
  rest: planeMissing,
  git: 'needs a Git server (URL or --git)',
  tags: 'needs the tagging API (URL)',
  errors: zoneMissing,
  binding: probeMissing,
};

/** The reason for the report that a need is not met. */
export const lackingReasons: Readonly<Record<Need, (settings: Readonly<Record<string, unknown>>) => string>> = {
  'control plane': () => planeMissing,
  'fresh repo': () => 'needs a fresh repository ({name} in --git)',
  'repo to read': () => 'needs a repository to read (--git URL --read-only)',
  origin: () => 'needs a service that other processes reach',
  git: () => 'needs stock git on this machine, and a service that it reaches',
  'read token': () => 'needs an API token that may only read (CONFORMANCE_READ_TOKEN)',
  'other account': () => 'needs a second account (CONFORMANCE_OTHER_ACCOUNT, CONFORMANCE_OTHER_API_TOKEN)',
  settings: (settings) => `needs a deployment started with ${JSON.stringify(settings)} (--setting)`,
  zone: () => zoneMissing,
  'zone id': () => 'needs a zone of the account (--zone-id)',
  binding: () => probeMissing,
  'event sink': () => 'needs a deployment started with a webhook sink on this machine',
  'import remote': () => 'needs a deployment that imports from a remote on this machine',
  'import url': () => 'needs a public repository to import (--import-url)',
  maintenance: () => 'needs a deployment that maintains what it stores',
  streaming: () => 'needs bodies that go out, and come in, as they are made',
};
