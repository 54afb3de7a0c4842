/**
 * Module hooks that load the service with one fault, beside the service without it. A URL that ends in `?fault=` and an
 * id marks a module of the faulty service, and its imports from the packages get the same mark. Preload this module
 * (`--import`), so that threads of the service have the hooks, too.
 */

import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { readFaultFiles, repository, type Fault } from './fault.ts';
import { patchedSource } from './patch.ts';

const mark = '?fault=';
/** Names the fault of this process for its threads, whose first module has no mark. */
const variable = 'PACKHOUSE_FAULT';

const stripped = new Map<string, string>();
let faults: ReadonlyMap<string, Fault> | undefined;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const [parent = '', id] = (context.parentURL ?? '').split(mark);
    const fault = id ?? (isMainThread ? undefined : process.env[variable]);
    const resolved = nextResolve(specifier, parent === '' ? context : { ...context, parentURL: parent });
    return fault === undefined || !isOfService(resolved.url)
      ? resolved
      : { ...resolved, url: resolved.url + mark + fault };
  },
  load(url, context, nextLoad) {
    const [file = '', id] = url.split(mark);
    return id === undefined
      ? nextLoad(url, context)
      : { format: 'module', source: sourceOf(file, id), shortCircuit: true };
  },
});

/** Imports a module of the service, given from the root of the repository, with a fault. */
export async function importFaulty<Module>(path: string, id: string): Promise<Module> {
  process.env[variable] = id;
  return (await import(`${new URL(path, repository).href}${mark}${id}`)) as Module;
}

function isOfService(url: string): boolean {
  return url.startsWith(`${repository.href}packages/`) && url.endsWith('.ts') && !url.includes('/adversary/');
}

function sourceOf(file: string, id: string): string {
  faults ??= new Map(readFaultFiles().flatMap((one) => one.faults.map((fault) => [fault.id, fault])));
  const its = faults.get(id)?.patch.filter((one) => new URL(one.file, repository).href === file) ?? [];
  if (its.length > 0) return stripTypeScriptTypes(patchedSource(new URL(file), its));
  const source = stripped.get(file) ?? stripTypeScriptTypes(readFileSync(new URL(file), 'utf8'));
  stripped.set(file, source);
  return source;
}
