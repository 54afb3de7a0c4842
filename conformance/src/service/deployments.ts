import type { Case } from '../core/case.ts';
import type { Target } from '../core/target.ts';
import { startEventSink } from './event-sink.ts';
import type { Secrets } from '../core/secrets.ts';

/** The deployments that cases run against: the target itself, and one more for each set of settings. */
export class Deployments {
  readonly #target: Target;
  readonly #secrets: Secrets;
  readonly #open = new Map<string, Promise<Target>>();
  /** How many cases with these settings are still to end. */
  readonly #due = new Map<string, number>();
  /** What went wrong with closing them, in words. */
  readonly problems: string[] = [];

  constructor(target: Target, cases: readonly Case[], secrets: Secrets) {
    this.#target = target;
    this.#secrets = secrets;
    for (const testCase of cases) {
      const key = settingsKey(testCase);
      if (key !== undefined) this.#due.set(key, (this.#due.get(key) ?? 0) + 1);
    }
    this.#keep(target);
  }

  /** The deployment of a case. @throws what starting it threw, for every case that shares it. */
  async of(testCase: Case): Promise<Target> {
    const key = settingsKey(testCase);
    const { configured } = this.#target;
    if (key === undefined || configured === undefined) return this.#target;
    const known = this.#open.get(key);
    if (known !== undefined) return await known;
    const starting = (needsSink(testCase) ? withSink(testCase, configured) : configured(testCase.settings ?? {})).then(
      (target) => this.#keep(target),
    );
    this.#open.set(key, starting);
    return await starting;
  }

  /** Says that a case has ended. Waits for its deployment to close if it was the last. Never rejects. */
  async done(testCase: Case): Promise<void> {
    const key = settingsKey(testCase);
    if (key === undefined) return;
    const due = (this.#due.get(key) ?? 1) - 1;
    this.#due.set(key, due);
    if (due <= 0) await this.#shut(key);
  }

  /** Closes those still open. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((key) => this.#shut(key)));
  }

  async #shut(key: string): Promise<void> {
    const open = this.#open.get(key);
    this.#open.delete(key);
    // One that never started has nothing to close, and told so already.
    const target = await open?.catch(() => undefined);
    try {
      await target?.close?.();
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown reason';
      this.problems.push(this.#secrets.scrub(`the deployment with ${key}: ${why}`));
    }
  }

  #keep(target: Target): Target {
    const { apiToken, readToken, other, binding, eventSink } = target;
    const tokens = [apiToken, readToken, other?.apiToken, binding?.secret, ...(eventSink?.secrets ?? [])];
    for (const token of tokens) this.#secrets.add(token);
    return target;
  }
}

/** Equal for equal settings, whatever the order of their members; undefined for a case that takes the target as it is. */
export function settingsKey(testCase: Pick<Case, 'settings' | 'needs'>): string | undefined {
  const { settings } = testCase;
  if (needsSink(testCase)) return `${JSON.stringify(ordered(settings ?? {}))} and a sink`;
  return settings === undefined ? undefined : JSON.stringify(ordered(settings));
}

function needsSink({ needs }: Pick<Case, 'needs'>): boolean {
  return needs?.includes('event sink') === true;
}

/** A deployment with a sink of its own, which is closed after it. */
async function withSink(
  { settings }: Pick<Case, 'settings'>,
  configured: NonNullable<Target['configured']>,
): Promise<Target> {
  const sink = await startEventSink();
  try {
    const target = await configured({ ...settings, ...sink.settings });
    return { ...target, eventSink: sink, close: () => (target.close?.() ?? Promise.resolve()).finally(sink.close) };
  } catch (error) {
    await sink.close();
    throw error;
  }
}

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]));
}
