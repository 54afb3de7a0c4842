import type { Target } from '@packhouse/conformance';
import type { TlsRemote } from '../../support/tls-remote.ts';
import type { Tenants } from './tenants.ts';

export type DialectName = Target['dialect'];
export type GivenSettings = Readonly<Record<string, unknown>>;

/** A service that listens on this machine. */
export interface Deployment {
  readonly origin: string;
  /** Stops it and removes what it kept. @throws if its log holds an entry of the level `error`. */
  stop(): Promise<void>;
}

/** Starts the service of one runtime. */
export type StartDeployment = (options: {
  readonly dialect: DialectName;
  readonly tenants: Tenants;
  readonly settings: GivenSettings;
  /** What the service is to trust, and may import from. Default: nothing inside. */
  readonly remote?: TlsRemote | undefined;
}) => Promise<Deployment>;

/** Fails with what a deployment logged as errors, if it did. */
export function checkLog(errors: readonly unknown[]): void {
  if (errors.length === 0) return;
  const shown = errors.slice(0, 5).map((entry) => JSON.stringify(entry));
  throw new Error(`the server logged ${errors.length} errors:\n${shown.join('\n')}`);
}
