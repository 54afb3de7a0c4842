import type { Area, FoundArea } from '../core/area.ts';
import { dialects, restBase, type Dialect } from '../core/dialect.ts';
import { randomPrefix } from '../core/prefix.ts';
import type { Target } from '../core/target.ts';
import { ownConnections } from '../service/own-connection.ts';
import { ask, evidenceOf, type Found } from './found.ts';
import { findGit, findGitAt } from './git.ts';
import { findRest, isEnvelope } from './rest.ts';

/** A target before it was looked at. `areas` are those to look for; by default those of a service, and a zone if given. */
export type WantedTarget = Omit<Target, 'dialect' | 'missing'> & { readonly dialect?: Dialect['name'] | undefined };

/**
 * Finds which areas a target has, which operations, and its dialect unless that is known. What it makes on the way has
 * the prefix of the run.
 */
export async function findTarget(wanted: WantedTarget, prefix: string = randomPrefix()): Promise<Found> {
  const name = `${prefix}-probe`;
  const { areas: sought = ['rest', 'git', 'tags', 'errors', 'binding'], zone, git, binding } = wanted;
  const areas: FoundArea[] = [];
  let dialect = wanted.dialect;
  let missing: Target['missing'];
  try {
    if (sought.includes('rest') || sought.includes('tags')) {
      const service = await findService(wanted, sought, name);
      if ('kind' in service) return service;
      areas.push(...service.areas);
      missing = service.missing;
      if (service.areas.some(({ found }) => found)) dialect ??= service.dialect;
    }
    if (zone !== undefined && sought.includes('errors')) {
      const shown = await findErrors({ ...wanted, zone });
      areas.push(shown.area);
      dialect ??= shown.dialect;
    }
  } catch (error) {
    return { kind: 'nothing', error };
  }
  if (git !== undefined) {
    const found = await findGit({ ...wanted, git }, name);
    if ('kind' in found) return found;
    areas.push(found);
  }
  if (binding !== undefined && sought.includes('binding'))
    areas.push({ area: 'binding', found: true, evidence: 'there is a probe (--binding-url)' });
  const has = areas.filter(({ found }) => found).map(({ area }) => area);
  if (has.length === 0) return { kind: 'stranger', areas };
  const target = {
    ...wanted,
    dialect: dialect ?? 'neutral',
    areas: has,
    ...(missing === undefined ? {} : { missing }),
  };
  return { kind: 'target', target, areas };
}

interface FoundService {
  readonly dialect: Dialect['name'];
  readonly areas: readonly FoundArea[];
  readonly missing: ReadonlyMap<string, string>;
}

type Refused = Extract<Found, { kind: 'not admitted' }>;

/** Finds a control plane, its Git, and tags: in the dialect in which there is something. */
async function findService(
  wanted: WantedTarget,
  sought: readonly Area[],
  name: string,
): Promise<FoundService | Refused> {
  const { origin, account, apiToken, readOnly = false } = wanted;
  const names = wanted.dialect === undefined ? (['neutral', 'cloudflare'] as const) : [wanted.dialect];
  const send = ownConnections(wanted);
  let nothing: FoundService | undefined;
  for (const dialect of names) {
    const areas: FoundArea[] = [];
    const missing = new Map<string, string>();
    if (sought.includes('rest')) {
      const base = restBase(origin, dialects[dialect], account);
      const refused = await refusal(send, `${base}/namespaces/${name}/repos/${name}`, apiToken);
      if (refused !== undefined) return refused;
      const rest = await findRest({ send, base, apiToken, readOnly, name });
      areas.push(rest.area);
      for (const [operation, evidence] of rest.missing) missing.set(operation, evidence);
      if (rest.repo !== undefined) {
        const served = await findGitAt(send, rest.repo, origin);
        if (!served.found) missing.set('git', served.evidence);
        areas.push(served);
      }
      await rest.remove();
    }
    if (sought.includes('tags')) {
      const url = `${origin}${dialects[dialect].basePath}/accounts/${account}/tags/keys`;
      const refused = await refusal(send, url, apiToken);
      if (refused !== undefined && !areas.some(({ found }) => found)) return refused;
      const reply = await ask(send, 'GET', url, { token: apiToken });
      areas.push({
        area: 'tags',
        // A run before this one may have used up the rate, for which cases wait.
        found: (reply.status === 200 || reply.status === 429) && isEnvelope(reply),
        evidence: evidenceOf('GET', url, reply),
      });
    }
    if (areas.some(({ found }) => found)) return { dialect, areas, missing };
    nothing ??= { dialect, areas, missing };
  }
  return nothing ?? { dialect: 'neutral', areas: [], missing: new Map() };
}

/** Returns the refusal of a URL that wants a credential, and does not take this one. */
async function refusal(
  send: (request: Request) => Promise<Response>,
  url: string,
  token: string,
): Promise<Refused | undefined> {
  const [anonymous, known] = [await ask(send, 'GET', url), await ask(send, 'GET', url, { token })];
  return anonymous.status === 401 && (known.status === 401 || known.status === 403)
    ? { kind: 'not admitted', status: known.status, url }
    : undefined;
}

/** The error page of a code that every catalogue has (ERR-009). */
const shownCode = '/cdn-cgi/error/1000';

/** Finds platform errors, and their dialect by the marker. */
async function findErrors(
  wanted: WantedTarget & { readonly zone: string },
): Promise<{ readonly area: FoundArea; readonly dialect?: Dialect['name'] }> {
  const url = wanted.zone + shownCode;
  const reply = await ask(ownConnections(wanted), 'GET', url, { headers: { accept: 'application/json' } });
  const names = ['neutral', 'cloudflare'] as const;
  const dialect = names.find((name) => reply.text.includes(`"${dialects[name].platformErrors.marker}"`));
  const found = dialect !== undefined || wanted.dialect !== undefined;
  const area: FoundArea = { area: 'errors', found, evidence: evidenceOf('GET', url, reply) };
  return dialect === undefined ? { area } : { area, dialect };
}
