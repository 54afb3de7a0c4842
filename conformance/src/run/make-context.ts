import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { bindingClient } from '../binding/client.ts';
import type { Case } from '../core/case.ts';
import type { Context, RestOptions, RestReply, TaggedResource, TestRepo } from '../core/context.ts';
import { dialects, restBase } from '../core/dialect.ts';
import { NotDone, Skipped, Unsupported } from '../core/outcome.ts';
import type { Target } from '../core/target.ts';
import { apart, runGit, shownCommand, type Environment } from '../service/git.ts';
import { recordGit } from '../evidence/record-git.ts';
import { recordFetch } from '../evidence/record-http.ts';
import type { Recorder } from '../evidence/recorder.ts';
import { areaOf } from '../core/area.ts';
import { withGitCredential, type GitRepo, type GitRepos } from '../service/git-server.ts';
import { LeftBehind } from '../clean-up/left-behind.ts';
import { LeftTags } from '../clean-up/left-tags.ts';
import { ownConnections } from '../service/own-connection.ts';
import { sendRest } from '../service/send-rest.ts';
import { sendTags } from '../service/send-tags.ts';
import { waitOut } from '../service/wait-out.ts';
import { gitAuth } from '../tools/git-auth.ts';
import { guarded } from './guarded.ts';
import { lackingReasons } from './lacking.ts';
import type { Secrets } from '../core/secrets.ts';

export interface ContextOptions {
  readonly target: Target;
  readonly testCase: Pick<Case, 'id' | 'needs' | 'settings' | 'readOnly'>;
  readonly seed: number;
  /** How many times as many random inputs as usual properties try. Default: 1. */
  readonly runs?: number;
  /** The prefix of all names in the run. */
  readonly prefix: string;
  /** Returns a number that no other name of the run has. */
  readonly nextNumber: () => number;
  /** Returns the milliseconds until the next request may be sent. */
  readonly turn?: () => number;
  /** The repositories of a target that is a Git server. */
  readonly gitRepos?: GitRepos | undefined;
  /** The namespace that the case may use through the binding. */
  readonly bound?: string;
  /** Returns an existing folder, which is removed after the case. */
  readonly folder: () => Promise<string>;
  readonly environment: Environment;
  readonly secrets: Secrets;
  /** Receives what the case sends and gets. */
  readonly recorder: Recorder;
  /** Aborts everything that the case is waiting for. */
  readonly signal: AbortSignal;
  /** Ends the case because the target cannot receive its request. */
  readonly cannotSend: (reason: Skipped | Unsupported) => void;
  /**
   * Waits for the milliseconds, which do not count towards the time of the case.
   *
   * @throws when the case is ended.
   */
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly shared: Context['shared'];
}

/** A context with its clean-up. */
export interface MadeContext {
  readonly context: Context;
  /** The notes of the case. */
  readonly notes: readonly string[];
  /** Removes everything that the case created on the service. Returns descriptions of what could not be removed. */
  readonly cleanUp: () => Promise<readonly string[]>;
}

/** Creates the context of one case. */
export function createContext(options: ContextOptions): MadeContext {
  const { target, testCase, prefix, secrets, signal } = options;
  const dialect = dialects[target.dialect];
  const { origin, account, apiToken } = target;
  const base = restBase(origin, dialect, account);
  const tokens = new Map([[account, apiToken]]);
  if (target.other !== undefined) tokens.set(target.other.account, target.other.apiToken);
  const unguarded = withGitCredential(target, ownConnections(target));
  // The guard of runs that only read also keeps the marks of cases true in every other run.
  const readOnly = target.readOnly === true || testCase.readOnly === true;
  const send = guarded({ ...target, readOnly }, base, unguarded);
  const taken: GitRepo[] = [];
  const left = new LeftBehind({ origin, dialect, prefix, tokens, send: unguarded });
  const zoneTokens = new Map(target.zoneId === undefined ? [] : [[target.zoneId, apiToken]]);
  const records = new LeftTags({ base: origin + dialect.basePath, prefix, tokens, zoneTokens, send: unguarded });
  const notes: string[] = [];
  let folder: Promise<string> | undefined;

  const declared = <T>(need: NonNullable<Case['needs']>[number], value: T | undefined): T => {
    if (testCase.needs?.includes(need) !== true || value === undefined)
      throw new Error(`${testCase.id} uses what it does not declare to need: ${need}`);
    return value;
  };

  /** Throws if a case of Git uses the control plane without saying so. */
  const controlled = (): void => void (areaOf(testCase) === 'git' && declared('control plane', true));

  /** Sends a request to the control plane, and waits for its rate except in cases that set one. */
  const control = async (method: string, path: string, asked: RestOptions): Promise<RestReply> => {
    const once = async (): Promise<RestReply> =>
      await sendRest({ base, apiToken, fetch: context.fetch }, method, path, asked);
    return (asked.waits ?? testCase.settings === undefined) ? await waitOut(once, options.pause) : await once();
  };

  const context: Context = {
    dialect,
    account,
    origin,
    base,
    get apiToken() {
      controlled();
      return apiToken;
    },
    get readToken() {
      return declared('read token', target.readToken);
    },
    get other() {
      return declared('other account', target.other);
    },
    get zone() {
      return declared('zone', target.zone);
    },
    get zoneId() {
      return declared('zone id', target.zoneId);
    },
    get eventSink() {
      return declared('event sink', target.eventSink);
    },
    get importRemote() {
      return declared('import remote', target.importRemote);
    },
    get importUrl() {
      return declared('import url', target.importUrl);
    },
    binding() {
      const place = declared('binding', target.binding);
      const namespace = declared('binding', options.bound);
      return bindingClient({
        ...place,
        namespace,
        send: (url, init) => context.fetch(url, init),
        making(name, made) {
          const ours = name.toLowerCase().startsWith(prefix.toLowerCase());
          if (made || ours) left.addRepo(account, namespace, name);
        },
        token: (token) => secrets.add(token),
      });
    },
    seed: options.seed,
    runs: options.runs ?? 1,
    name: (word = 'x') => `${prefix}-${word}-${options.nextNumber()}`,
    namespace: `${prefix}-ns-${options.nextNumber()}`,

    async rest(method, path, asked = {}) {
      controlled();
      return await control(method, path, asked);
    },

    async tags(method, path, asked = {}) {
      if (asked.raw === true) declared('origin', true);
      return await sendTags(context, options.pause, method, path, asked);
    },

    async setTags(resource, tags, { at, token } = {}) {
      const where = { ...(at !== undefined && { at }), ...(token !== undefined && { token }) };
      const reply = await context.tags('PUT', '/tags', { ...where, body: { ...resource, tags } });
      // A zone type may have a directory of known ids (TAG-054). Deployments that we start have none, so they must not
      // pass by skipping.
      if (at === 'zone' && target.configured === undefined && isUnknown(reply))
        throw new Skipped(`needs a zone where any id of the type ${resource.resource_type} is taken`);
      if (reply.status !== 200) throw new NotDone(`tags were not set: ${reply.status} ${reply.text}`);
      return reply.json.result as TaggedResource;
    },

    shared: options.shared,

    async createRepo({ name = context.name('repo'), namespace = context.namespace, body = {} } = {}) {
      const { gitRepos } = options;
      if (gitRepos !== undefined) {
        if (Object.keys(body).length > 0) throw new Skipped(lackingReasons['control plane']({}));
        const repo = await gitRepos.take(name, taken.length, context.fetch);
        taken.push({ ...repo, fetch: async (url, init) => await send(new Request(url, init)) });
        return { id: name, namespace, name, ...repo };
      }
      const reply = await control('POST', `/namespaces/${namespace}/repos`, { body: { name, ...body } });
      if (reply.status !== 201) throw new NotDone(`a repo was not created: ${reply.status} ${reply.text}`);
      const { id, remote, token } = reply.json.result as TestRepo;
      secrets.add(token);
      const auth = gitAuth(`Bearer ${token}`);
      return { id, namespace, name, remote, token, fetch: context.fetch, auth };
    },

    get existing() {
      const repo = declared('repo to read', options.gitRepos).existing(context.fetch);
      return { id: '', namespace: '', name: '', ...repo };
    },

    async record({ namespace, name, foreign }) {
      if (foreign === true) return undefined;
      return (await control('GET', `/namespaces/${namespace}/repos/${name}`, {})).json?.result;
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
      const wait = options.turn?.() ?? 0;
      if (wait > 0) await options.pause(wait);
      const watching = [left, records].map((one) => one.watch(init.method ?? 'GET', url, init.body));
      const both = init.signal ? AbortSignal.any([signal, init.signal]) : signal;
      const response = await recordFetch(options.recorder, url, { ...init, signal: both }, (sent) =>
        send(new Request(url, sent)),
      ).catch((error: unknown) => {
        if (error instanceof Skipped || error instanceof Unsupported) options.cannotSend(error);
        throw error;
      });
      for (const answered of watching) answered(response.status);
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
      if (readOnly && args.includes('push'))
        throw new Error('the case runs git push, and does not declare that it writes');
      const evidence = target.missing?.get('git');
      if (evidence !== undefined && args.some((arg) => arg.includes('://'))) throw new Unsupported(evidence);
      const inFolder = { ...asked, cwd: asked.cwd ?? (await context.folder()) };
      return await recordGit(options.recorder, apart(args), () => runGit(args, inFolder, options.environment, signal));
    },

    async git(args, asked = {}) {
      const { status, stdout, stderr } = await context.tryGit(args, asked);
      if (status !== 0) throw new NotDone(`${shownCommand(args)} ended with ${status}:\n${stderr}`);
      return stdout.toString();
    },

    note: (found) => void notes.push(found),
    unsupported(evidence) {
      throw new Unsupported(evidence);
    },
    skip(reason) {
      throw new Skipped(reason);
    },
  };
  const cleanUp = async (): Promise<readonly string[]> => {
    const { gitRepos } = options;
    const refs: string[] = [];
    for (const repo of taken) refs.push(...((await gitRepos?.empty(repo)) ?? []));
    return [...refs, ...(await records.remove()), ...(await left.remove())];
  };
  return { context, notes, cleanUp };
}

/** Returns true if setting tags failed because a directory does not know the resource. */
function isUnknown({ status, json }: RestReply): boolean {
  return status === 404 && String(json?.errors?.[0]?.message).startsWith('resource not found: ');
}

/**
 * Throws if the case was ended. Yields first: a case that catches errors in a loop would otherwise block everything
 * else.
 */
async function refuseAfterEnd(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) return;
  await new Promise((resolve) => setTimeout(resolve, 50));
  throw signal.reason;
}
