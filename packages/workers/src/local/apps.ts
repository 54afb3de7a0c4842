import type { WorkerOptions } from 'miniflare';
import { compatibilityDate, compatibilityFlags } from './deployment.ts';

/** Name of the service's Worker, which the service bindings of apps refer to. */
export const serviceName = 'packhouse';

/** A Worker that uses the service through its runtime binding. It listens on 127.0.0.1, on a free port. */
export interface LocalApp {
  readonly name: string;
  /** The entry to bundle and run. */
  readonly entry: string;
  /** The `props` of bindings to the entry point `ReposBinding`, by the names of the bindings on `env`. */
  readonly repos: Readonly<Record<string, { readonly account: string; readonly namespace: string }>>;
  /** Class names of Durable Objects, by the names of their bindings. */
  readonly objects?: Readonly<Record<string, string>>;
  /** Variables and secrets. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Default: the compatibility date of the service. */
  readonly compatibilityDate?: string;
}

/** @param script The bundled entry. */
export function appOptions(app: LocalApp, script: string): WorkerOptions {
  const bound = Object.entries(app.repos).map(
    ([name, props]) => [name, { name: serviceName, entrypoint: 'ReposBinding', props: { ...props } }] as const,
  );
  const objects = Object.entries(app.objects ?? {}).map(
    ([name, className]) => [name, { className, useSQLite: true }] as const,
  );
  return {
    name: app.name,
    modules: [{ type: 'ESModule', path: `${app.name}.mjs`, contents: script }],
    compatibilityDate: app.compatibilityDate ?? compatibilityDate,
    compatibilityFlags: [...compatibilityFlags],
    serviceBindings: Object.fromEntries(bound),
    durableObjects: Object.fromEntries(objects),
    bindings: { ...app.vars },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}
