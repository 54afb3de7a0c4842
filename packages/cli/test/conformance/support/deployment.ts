import type { Target } from '@packhouse/conformance';
import type { TlsRemote } from '../../support/tls-remote.ts';
import type { Tenants } from './tenants.ts';

export type DialectName = Target['dialect'];
export type GivenSettings = Readonly<Record<string, unknown>>;

/** A service that listens on this machine. */
export interface Deployment {
  readonly origin: string;
  /**
   * Stops the service and removes its data.
   *
   * @throws if its log has an entry of the level `error`.
   */
  stop(): Promise<void>;
}

/** Starts the service of one runtime. */
export type StartDeployment = (options: {
  readonly dialect: DialectName;
  readonly tenants: Tenants;
  readonly settings: GivenSettings;
  /** A remote that the service trusts and may import from. Default: none. */
  readonly remote?: TlsRemote | undefined;
}) => Promise<Deployment>;

/** Fails with the errors that a deployment logged, if there are any. */
export function checkLog(errors: readonly unknown[]): void {
  if (errors.length === 0) return;
  const shown = errors.slice(0, 5).map((entry) => JSON.stringify(entry));
  throw new Error(`the server logged ${errors.length} errors:\n${shown.join('\n')}`);
}
