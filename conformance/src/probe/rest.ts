import { setTimeout as wait } from 'node:timers/promises';
import type { FoundArea } from '../core/area.ts';
import { restPaths, type Operation } from '../core/operations.ts';
import { waitOut } from '../service/wait-out.ts';
import { evidenceOf, ask, type Probed } from './found.ts';

export interface RestPlace {
  readonly send: (request: Request) => Promise<Response>;
  /** The base of the account's routes. */
  readonly base: string;
  readonly apiToken: string;
  /** True if nothing may be created. */
  readonly readOnly: boolean;
  /** An unused name. */
  readonly name: string;
}

export interface FoundRest {
  readonly area: FoundArea;
  /** Operations that are not there, with the evidence. */
  readonly missing: ReadonlyMap<Operation, string>;
  /** A repo that exists for the probe; absent if none was made. */
  readonly repo?: { readonly remote: string; readonly token: string };
  /** Removes the repo as far as the service can. */
  readonly remove: () => Promise<void>;
}

/** Requests of the probe in flight. */
const atOnce = 8;

/** Finds a control plane, by a repo that it makes there unless nothing may be created. */
export async function findRest(place: RestPlace): Promise<FoundRest> {
  const { send, base, apiToken, readOnly, name } = place;
  const repos = `${base}/namespaces/${name}/repos`;
  const made = readOnly
    ? undefined
    : await waitOut(
        () => ask(send, 'POST', repos, { token: apiToken, body: JSON.stringify({ name }) }),
        async (milliseconds) => void (await wait(milliseconds)),
      );
  const repo = made?.status === 201 ? resultOf(made) : undefined;
  const remove = async (): Promise<void> => {
    if (made?.status !== 201) return;
    for (const url of [`${repos}/${name}`, `${base}/namespaces/${name}`])
      await ask(send, 'DELETE', url, { token: apiToken });
  };
  try {
    const asked = operations(place);
    const missing = await findMissing(place, asked);
    const details = '/namespaces/{}/repos/{}';
    const known = await probe(place, 'GET', details, apiToken);
    const isService = isEnvelope(known) || (await probe(place, 'GET', details)).status === 401;
    const found = repo !== undefined || (isService && missing.size < asked.length);
    const evidence =
      made === undefined ? evidenceOf('GET', `${repos}/${name}`, known) : evidenceOf('POST', repos, made);
    return { area: { area: 'rest', found, evidence }, missing, ...(repo === undefined ? {} : { repo }), remove };
  } catch (error) {
    await remove().catch(() => undefined);
    throw error;
  }
}

interface Asked {
  readonly method: string;
  readonly path: string;
}

function operations({ readOnly }: RestPlace): readonly Asked[] {
  return restPaths
    .flatMap(([path, methods]) => methods.map((method) => ({ path, method })))
    .filter(({ method }) => !readOnly || method === 'GET');
}

async function probe({ send, base, name }: RestPlace, method: string, path: string, token?: string): Promise<Probed> {
  const body = method.startsWith('P') ? { body: '{}' } : {};
  return await ask(send, method, base + path.replaceAll('{}', name), { ...body, token });
}

/**
 * Finds which operations do not exist. Routes are checked before credentials (REPO-036), so one that exists answers 401
 * without a credential. A service that checks credentials first answers a route that it has not like any other unknown
 * path.
 */
async function findMissing(place: RestPlace, asked: readonly Asked[]): Promise<ReadonlyMap<Operation, string>> {
  const { base, apiToken, name } = place;
  const missing = new Map<Operation, string>();
  const waiting = [...asked];
  const references = new Map<string, Promise<Probed>>();
  /** Asks once for a path that certainly does not exist. */
  const unknown = async (method: string, token?: string): Promise<Probed> => {
    const key = `${method} ${token === undefined}`;
    const reference = references.get(key) ?? probe(place, method, '/namespaces/{}/repos/{}/no-such-route', token);
    references.set(key, reference);
    return await reference;
  };
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const { method, path } = one;
      // The repo of the probe would be gone. A service that deletes repos is asked for one that never was.
      const form = method === 'DELETE' ? path.replaceAll('{}', `${name}-none`) : path;
      if (isRefusal(await probe(place, method, form)) && !isRefusal(await unknown(method))) continue;
      const known = await probe(place, method, form, apiToken);
      const isAbsent =
        known.status === 405 ||
        known.status === 501 ||
        (known.status === 404 && isLike(known, await unknown(method, apiToken)));
      if (isAbsent) missing.set(`${method} ${path}`, evidenceOf(method, base + form.replaceAll('{}', name), known));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return missing;
}

function resultOf({ text }: Probed): FoundRest['repo'] {
  try {
    const { remote, token } = (JSON.parse(text) as { result: { remote: string; token: string } }).result;
    return typeof remote === 'string' && typeof token === 'string' ? { remote, token } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true for a JSON reply in the envelope of the API (REPO-008). */
export function isEnvelope({ text }: Probed): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && 'success' in parsed && 'result' in parsed;
  } catch {
    return false;
  }
}

function isRefusal({ status }: Probed): boolean {
  return status === 401 || status === 403;
}

/** Returns true if two replies differ only in ids, times and the path that they repeat. */
function isLike(one: Probed, other: Probed): boolean {
  const form = ({ status, headers, text }: Probed): string =>
    // The expression takes the square of a long word as time.
    `${status} ${headers.get('content-type') ?? ''} ${text
      .slice(0, 4000)
      .replaceAll(/[/\w-]*[/\d-][/\w-]*/g, '')
      .slice(0, 1000)}`;
  return form(one) === form(other) && codeOf(one) === codeOf(other);
}

/** Returns the code of a refusal in the envelope, which tells an unknown route from an unknown repo. */
function codeOf({ text }: Probed): unknown {
  return /"code":\s*(\d+)/.exec(text)?.[1];
}
