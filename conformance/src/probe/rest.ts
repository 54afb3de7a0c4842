import type { FoundArea } from '../core/area.ts';
import { restPaths, type Operation } from '../core/operations.ts';
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

/**
 * Finds which operations of the control plane exist. Routes are checked before credentials (REPO-036), so one that
 * exists answers 401 without a credential. A service that checks credentials first answers a route that it has not like
 * any other unknown path.
 */
export async function findRest(place: RestPlace): Promise<FoundRest> {
  const { send, base, apiToken, readOnly, name } = place;
  const repos = `${base}/namespaces/${name}/repos`;
  const made = readOnly
    ? undefined
    : await ask(send, 'POST', repos, { token: apiToken, body: JSON.stringify({ name }) });
  const repo = made?.status === 201 ? resultOf(made) : undefined;
  const missing = new Map<Operation, string>();
  const asked = restPaths
    .flatMap(([path, methods]) => methods.map((method) => ({ path, method })))
    .filter(({ method }) => !readOnly || method === 'GET');
  const waiting = [...asked];
  const probe = async (method: string, path: string, token?: string): Promise<Probed> => {
    const body = method.startsWith('P') ? { body: '{}' } : {};
    return await ask(send, method, base + path.replaceAll('{}', name), { ...body, token });
  };
  const references = new Map<string, Promise<Probed>>();
  /** Asks once for a path that certainly does not exist. */
  const unknown = async (method: string, token?: string): Promise<Probed> => {
    const key = `${method} ${token === undefined}`;
    const reference = references.get(key) ?? probe(method, '/namespaces/{}/repos/{}/no-such-route', token);
    references.set(key, reference);
    return await reference;
  };
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const { method, path } = one;
      // The repo of the probe would be gone. A service that deletes repos is asked for one that never was.
      const form = method === 'DELETE' ? path.replaceAll('{}', `${name}-none`) : path;
      if (isRefusal(await probe(method, form)) && !isRefusal(await unknown(method))) continue;
      const known = await probe(method, form, apiToken);
      const isAbsent =
        known.status === 405 ||
        known.status === 501 ||
        (known.status === 404 && isLike(known, await unknown(method, apiToken)));
      if (isAbsent) missing.set(`${method} ${path}`, evidenceOf(method, base + form.replaceAll('{}', name), known));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  const details = '/namespaces/{}/repos/{}';
  const known = await probe('GET', details, apiToken);
  const isService = isEnvelope(known) || (await probe('GET', details)).status === 401;
  const found = repo !== undefined || (isService && missing.size < asked.length);
  const seen = made ?? known;
  const evidence = evidenceOf(
    made === undefined ? 'GET' : 'POST',
    made === undefined ? `${repos}/${name}` : repos,
    seen,
  );
  return {
    area: { area: 'rest', found, evidence },
    missing,
    ...(repo === undefined ? {} : { repo }),
    async remove() {
      if (repo === undefined) return;
      for (const url of [`${repos}/${name}`, `${base}/namespaces/${name}`])
        await ask(send, 'DELETE', url, { token: apiToken });
    },
  };
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
    `${status} ${headers.get('content-type') ?? ''} ${text.replaceAll(/[/\w-]*[/\d-][/\w-]*/g, '').slice(0, 1000)}`;
  return form(one) === form(other) && codeOf(one) === codeOf(other);
}

/** Returns the code of a refusal in the envelope, which tells an unknown route from an unknown repo. */
function codeOf({ text }: Probed): unknown {
  return /"code":\s*(\d+)/.exec(text)?.[1];
}
