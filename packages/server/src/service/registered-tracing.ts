import type { Tracing } from '@packhouse/base';
import { openTelemetry } from '@packhouse/router';

/** The name under which `@opentelemetry/api` keeps what an SDK has registered in this process. */
const registered = Symbol.for('opentelemetry.js.api.1');

/**
 * Returns the tracing of an OpenTelemetry SDK that was registered before the server starts, else undefined. Without one
 * the package is not even loaded, so that traces cost nothing.
 */
export async function registeredTracing(): Promise<Tracing | undefined> {
  if (!Object.hasOwn(globalThis, registered)) return undefined;
  try {
    return openTelemetry(await import('@opentelemetry/api'));
  } catch {
    // The SDK has a copy of the package that this module cannot find.
    return undefined;
  }
}
