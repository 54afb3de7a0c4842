import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case } from '../core/case.ts';
import type { Context, TestRepo } from '../core/context.ts';
import { dialects } from '../core/dialect.ts';
import { NotDone, Skipped, Unsupported } from '../core/outcome.ts';
import type { Target } from '../core/target.ts';
import { runGit, shownCommand, type Environment } from './git.ts';
import { LeftBehind } from './left-behind.ts';
import { ownConnections } from './own-connection.ts';
import { sendRest } from './send-rest.ts';
import type { Secrets } from './secrets.ts';

export interface ContextOptions {
  readonly target: Target;
  readonly testCase: Pick<Case, 'id' | 'needs'>;
  readonly seed: number;
  /** Every name of the run begins with it. */
  readonly prefix: string;
  /** Answers a number that no other name of the run has. */
  readonly nextNumber: () => number;
  /** An existing folder that is removed after the case. */
  readonly folder: () => Promise<string>;
  readonly environment: Environment;
  readonly secrets: Secrets;
  /** Aborts what the case is waiting for. */
  readonly signal: AbortSignal;
}

/** A context, and what removes from the service all that was made with it. */
export interface MadeContext {
  readonly context: Context;
  /** Answers, in words, what could not be removed. */
  readonly cleanUp: () => Promise<readonly string[]>;
}

/** Makes what one case works with. */
export function createContext(options: ContextOptions): MadeContext {
  const { target, testCase, prefix, secrets, signal } = options;
  const dialect = dialects[target.dialect];
  const { origin, account, apiToken } = target;
  const base = `${origin}${dialect.basePath}/accounts/${account}/${dialect.serviceSegment}`;
  const tokens = new Map([[account, apiToken]]);
  if (target.other !== undefined) tokens.set(target.other.account, target.other.apiToken);
  const send = ownConnections(target);
  const left = new LeftBehind({ origin, dialect, prefix, tokens, send });
  let folder: Promise<string> | undefined;

  const declared = <T>(need: NonNullable<Case['needs']>[number], value: T | undefined): T => {
    if (testCase.needs?.includes(need) !== true || value === undefined)
      throw new Error(`${testCase.id} uses what it does not declare to need: ${need}`);
    return value;
  };

  const context: Context = {
    dialect,
    account,
    origin,
    base,
    apiToken,
    get readToken() {
      return declared('read token', target.readToken);
    },
    get other() {
      return declared('other account', target.other);
    },
    get zone() {
      return declared('zone', target.zone);
    },
    seed: options.seed,
    name: (word = 'x') => `${prefix}-${word}-${options.nextNumber()}`,
    namespace: `${prefix}-ns-${options.nextNumber()}`,

    rest: async (method, path, asked = {}) => await sendRest(context, method, path, asked),

    async createRepo({ name = context.name('repo'), namespace = context.namespace, body = {} } = {}) {
      const reply = await context.rest('POST', `/namespaces/${namespace}/repos`, { body: { name, ...body } });
      if (reply.status !== 201) throw new NotDone(`a repo was not created: ${reply.status} ${reply.text}`);
      const { id, remote, token } = reply.json.result as TestRepo;
      secrets.add(token);
      const auth = ['-c', `http.extraHeader=Authorization: Bearer ${token}`];
      return { id, namespace, name, remote, token, fetch: context.fetch, auth };
    },

    async mintToken(repo, { scope, ttl } = {}) {
      const body = { repo: repo.name, scope, ttl };
      const reply = await context.rest('POST', `/namespaces/${repo.namespace}/tokens`, { body });
      if (reply.status !== 201) throw new NotDone(`a token was not minted: ${reply.status} ${reply.text}`);
      const token = reply.json.result.plaintext as string;
      secrets.add(token);
      return token;
    },

    async fetch(url, init = {}) {
      await refuseAfterEnd(signal);
      const answered = left.watch(init.method ?? 'GET', url, init.body);
      const both = init.signal ? AbortSignal.any([signal, init.signal]) : signal;
      const response = await send(new Request(url, { ...init, signal: both }));
      answered(response.status);
      return response;
    },

    removeLater: (path) => left.addPath(account, path),

    async folder() {
      folder ??= options.folder();
      const root = await folder;
      await mkdir(root, { recursive: true });
      return await mkdtemp(join(root, 'f-'));
    },

    async tryGit(args, asked = {}) {
      await refuseAfterEnd(signal);
      return await runGit(args, { ...asked, cwd: asked.cwd ?? (await context.folder()) }, options.environment, signal);
    },

    async git(args, asked = {}) {
      const { status, stdout, stderr } = await context.tryGit(args, asked);
      if (status !== 0) throw new NotDone(`${shownCommand(args)} ended with ${status}:\n${stderr}`);
      return stdout.toString();
    },

    unsupported(evidence) {
      throw new Unsupported(evidence);
    },
    skip(reason) {
      throw new Skipped(reason);
    },
  };
  return { context, cleanUp: async () => await left.remove() };
}

/**
 * Throws if the case was ended. Not at once: one that catches errors in a loop would otherwise never let anything else
 * run.
 */
async function refuseAfterEnd(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) return;
  await new Promise((resolve) => setTimeout(resolve, 50));
  throw signal.reason;
}
