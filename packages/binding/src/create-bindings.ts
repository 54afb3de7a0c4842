import { parseNamespaceName, type BindingEntry, type Hosting } from '@packhouse/hosting';
import { BindingError } from './binding-error.ts';
import { createBinding } from './create-binding.ts';
import type { Repos } from './repos.ts';

export interface BindingsOptions {
  readonly hosting: Hosting;
  readonly account: string;
  /** Result of `readBindings`. */
  readonly entries: readonly BindingEntry[];
}

/**
 * Makes the bindings of a configuration, by name (BIND-001 to BIND-004). Code knows the result as `env`.
 *
 * @throws {BindingError} naming the first entry whose namespace the settings do not allow.
 */
export function createBindings({ hosting, account, entries }: BindingsOptions): Readonly<Record<string, Repos>> {
  const env: Record<string, Repos> = {};
  for (const [index, { binding, namespace }] of entries.entries()) {
    if (parseNamespaceName(namespace, hosting.settings) === undefined) {
      const { namespace_name_min: min, namespace_name_max: max } = hosting.settings;
      throw new BindingError(
        `${hosting.dialect.bindingKey}[${index}].namespace: expected ${min} to ${max} characters, found ${namespace.length}`,
      );
    }
    Object.defineProperty(env, binding, {
      value: createBinding({ hosting, account, namespace }),
      enumerable: true,
    });
  }
  return env;
}
