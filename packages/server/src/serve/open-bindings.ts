import { createBindings, BindingError, type Repos } from '@packhouse/binding';
import { ConfigError } from '@packhouse/base';
import { readBindings, type BindingEntry, type Dialect, type Hosting } from '@packhouse/hosting';
import type { ServerConfig } from '@packhouse/router';
import { StartError } from '../start-error.ts';

/** Bindings by name, as an app finds them on `env`. */
export type Bindings = Readonly<Record<string, Repos>>;

/** @throws {StartError} kind `configuration`. The message names the wrong entry and member (BIND-002). */
export function configuredBindings(config: ServerConfig, dialect: Dialect): readonly BindingEntry[] {
  return explained(() => readBindings({ ...config }, dialect));
}

/** @throws {StartError} as {@link configuredBindings}. */
export function openBindings(hosting: Hosting, account: string, entries: readonly BindingEntry[]): Bindings {
  return explained(() => createBindings({ hosting, account, entries }));
}

function explained<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof BindingError)) throw error;
    throw new StartError('configuration', `The configuration: ${error.message}.`, 'Correct it in the configuration.', {
      cause: error,
    });
  }
}
