import { BindingError, createBinding, RepoError, type Repos } from '@packhouse/binding';
import { ConfigurationError } from '../environment/configuration.ts';
import type { Environment } from '../environment/environment.ts';
import { writeLog, type LogLine } from '../request/log.ts';
import { newUsage, usageFields, withinScope, type RequestScope } from '../request/usage.ts';
import { isolateEngine } from '../service/isolate-engine.ts';
import { isolateService } from '../service/open-service.ts';

/** The `props` of a service binding to `ReposBinding`. */
export interface BindingProps {
  /** The account, which must be served (REPO-030). */
  readonly account: string;
  /** The namespace, which need not exist (BIND-003). */
  readonly namespace: string;
}

/**
 * Bytes of the largest value that a call returns (BIND-074). RPC carries 32 MiB, including the envelope of the value.
 */
const valueMax = 33_550_336;

/**
 * Bytes that one call may reserve (as `request_memory_max`), so that a large blob leaves memory for smaller requests.
 */
const admitMax = 56 * 1_048_576;

/** Reserves memory for a blob twice, because the runtime holds it twice while it joins the parts. */
async function admit(bytes: number): Promise<() => void> {
  const reservation = await isolateEngine().admission.reserve(Math.min(2 * bytes, admitMax), false);
  return () => reservation.release();
}

/** Returns a prop for the log; undefined if it is not a string. */
function textOf(prop: unknown): string | undefined {
  return typeof prop === 'string' ? prop : undefined;
}

/** Returns the error name of the dialect (REPO-025); undefined if the service cannot start. */
function errorName(environment: Environment): string | undefined {
  try {
    return isolateService(environment).hosting.dialect.bindingErrorName;
  } catch {
    return undefined;
  }
}

/** Runs the calls of one binding. Counts the cost of each call in its own scope, and writes a log line for it. */
export class BoundNamespace {
  readonly #environment: Environment;
  readonly #props: Partial<Record<keyof BindingProps, unknown>>;

  /** Never throws. Each call reports invalid props. */
  constructor(environment: Environment, props: BindingProps | undefined) {
    this.#environment = environment;
    this.#props = props ?? {};
  }

  /** Rejects with {@link RepoError}, or with a plain `Error` after the handle was disposed of. */
  async call<Result>(method: string, work: (repos: Repos) => Promise<Result>): Promise<Result> {
    const started = Date.now();
    const scope: RequestScope = { usage: newUsage() };
    const log = (level: 'info' | 'error', line: LogLine): void => {
      const place = { account: textOf(this.#props.account), namespace: textOf(this.#props.namespace) };
      const ms = Date.now() - started;
      scope.usage.bytesReserved = isolateEngine().admission.reservedMost;
      writeLog(level, { event: 'binding', method, ...place, ...line, ms, ...usageFields(scope.usage) });
    };
    if (this.#environment.LOG_BEGIN === true) writeLog('info', { event: 'begin' });
    try {
      const result = await withinScope(scope, async () => await work(this.#repos()));
      log('info', {});
      return result;
    } catch (error) {
      if (error instanceof ConfigurationError) {
        log('error', { message: error.message });
        throw new RepoError('INTERNAL_ERROR', 'An internal error occurred.', errorName(this.#environment));
      }
      log('info', error instanceof RepoError ? { code: error.code } : { message: 'the handle was disposed of' });
      throw error;
    }
  }

  /** @throws {ConfigurationError} */
  #repos(): Repos {
    const { hosting } = isolateService(this.#environment);
    const { account, namespace } = this.#props as BindingProps;
    try {
      // `createBinding` validates both props.
      return createBinding({ hosting, account, namespace, valueMax, admit });
    } catch (error) {
      if (!(error instanceof BindingError)) throw error;
      throw new ConfigurationError(`props of the binding: ${error.message}`, { cause: error });
    }
  }
}
