import type { Span, Tracing } from '@packhouse/base';
import { version } from '@packhouse/hosting';

/** The part of the package `@opentelemetry/api` that spans need. */
export interface OpenTelemetryApi<Context = unknown> {
  readonly trace: {
    getTracer(name: string, version: string): OpenTelemetryTracer<Context>;
    setSpan(context: Context, span: OpenTelemetrySpan): Context;
  };
  readonly context: {
    active(): Context;
    with<Result>(context: Context, work: () => Result): Result;
  };
  readonly propagation: {
    extract(context: Context, headers: Headers, getter: HeaderGetter): Context;
  };
}

interface OpenTelemetryTracer<Context> {
  startSpan(name: string, options: { readonly kind: number }, context: Context): OpenTelemetrySpan;
}

interface HeaderGetter {
  get(headers: Headers, name: string): string | undefined;
  keys(headers: Headers): string[];
}

interface OpenTelemetrySpan {
  updateName(name: string): unknown;
  setAttributes(attributes: Readonly<Record<string, string | number | undefined>>): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(): void;
}

/** Values of `SpanKind` and `SpanStatusCode` of the API, which never change. */
const kinds = { internal: 0, server: 1 } as const;
const errorStatus = 2;

const getter: HeaderGetter = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/**
 * Makes the tracing of a service from the module `@opentelemetry/api`, for the option `tracing` of `packhouse`. It needs
 * an SDK that was registered before.
 */
export function openTelemetry<Context>(api: OpenTelemetryApi<Context>): Tracing {
  const tracer = api.trace.getTracer('packhouse', version);
  const begin = (name: string, kind: number, parent: Context): Span => {
    const span = tracer.startSpan(name, { kind }, parent);
    const context = api.trace.setSpan(parent, span);
    return {
      run: (work) => api.context.with(context, work),
      end({ name: other, attributes = {}, failed = false } = {}) {
        if (other !== undefined) span.updateName(other);
        span.setAttributes(attributes);
        if (failed) span.setStatus({ code: errorStatus });
        span.end();
      },
    };
  };
  return {
    request: (headers) =>
      begin('request', kinds.server, api.propagation.extract(api.context.active(), headers, getter)),
    child: (name) => begin(name, kinds.internal, api.context.active()),
  };
}
