import { sharedSettings } from '../steps/settings.ts';
import type { Case } from '../core/case.ts';
import type { Target } from '../core/target.ts';
import { startEventSink } from './event-sink.ts';
import type { Secrets } from '../core/secrets.ts';

/** The deployments that cases run against: the target, and one more for each set of settings. */
export class Deployments {
  readonly #target: Target;
  readonly #secrets: Secrets;
  readonly #open = new Map<string, Promise<Target>>();
  /** The number of unfinished cases by settings. */
  readonly #due = new Map<string, number>();
  /** Descriptions of failures to close them. */
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

  /**
   * Returns the deployment of a case.
   *
   * @throws the error of starting it, for every case that shares it.
   */
  async of(testCase: Case): Promise<Target> {
    const key = settingsKey(testCase);
    const { configured } = this.#target;
    if (key === undefined || configured === undefined) return this.#target;
    const known = this.#open.get(key);
    if (known !== undefined) return await known;
    const starting = (
      needsSink(testCase) ? withSink(testCase, configured) : configured(sharedSettings(testCase.settings ?? {}))
    ).then((target) => this.#keep(target));
    this.#open.set(key, starting);
    return await starting;
  }

  /** Records that a case has ended. If it was the last of its deployment, waits until that is closed. Never rejects. */
  async done(testCase: Case): Promise<void> {
    const key = settingsKey(testCase);
    if (key === undefined) return;
    const due = (this.#due.get(key) ?? 1) - 1;
    this.#due.set(key, due);
    if (due <= 0) await this.#shut(key);
  }

  /** Closes all open deployments. Never rejects. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((key) => this.#shut(key)));
  }

  async #shut(key: string): Promise<void> {
    const open = this.#open.get(key);
    this.#open.delete(key);
    // A deployment that failed to start has already reported that, and needs no closing.
    const target = await open?.catch(() => undefined);
    try {
      await target?.close?.();
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown reason';
      this.problems.push(this.#secrets.scrub(`the deployment with ${key}: ${why}`));
    }
  }

  #keep(target: Target): Target {
    const { apiToken, readToken, other, binding, eventSink, git } = target;
    const ofGit = credentialsIn(git?.authorization);
    const tokens = [apiToken, readToken, other?.apiToken, binding?.secret, ...ofGit, ...(eventSink?.secrets ?? [])];
    for (const token of tokens) this.#secrets.add(token);
    return target;
  }
}

/** Returns the credential of a value of `Authorization`, and the password in it, which a server may show in its texts. */
function credentialsIn(authorization: string | undefined): readonly string[] {
  const [scheme, credential] = authorization?.split(' ') ?? [];
  if (credential === undefined) return [];
  const pair = Buffer.from(credential, 'base64').toString();
  return scheme?.toLowerCase() === 'basic' ? [credential, pair.slice(pair.indexOf(':') + 1)] : [credential];
}

/**
 * Returns a key that is equal for cases that share a deployment, regardless of the order of their settings; undefined for
 * a case that uses the target unchanged.
 */
export function settingsKey(testCase: Pick<Case, 'settings' | 'needs'>): string | undefined {
  const { settings } = testCase;
  const key = JSON.stringify(ordered(sharedSettings(settings ?? {})));
  if (needsSink(testCase)) return `${key} and a sink`;
  return settings === undefined ? undefined : key;
}

function needsSink({ needs }: Pick<Case, 'needs'>): boolean {
  return needs?.includes('event sink') === true;
}

/** Starts a deployment with its own sink, which is closed after it. */
async function withSink(
  { settings }: Pick<Case, 'settings'>,
  configured: NonNullable<Target['configured']>,
): Promise<Target> {
  const sink = await startEventSink();
  try {
    const target = await configured({ ...sharedSettings(settings ?? {}), ...sink.settings });
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
