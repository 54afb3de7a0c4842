/**
 * GIT-119, GIT-149: accepts and rejects the commands of a push like stock `git receive-pack`, with the same messages.
 */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pack, type MadeObject } from '@packhouse/conformance/tools/made-objects';
import { buildHistory, historySteps, type History } from '@packhouse/conformance/tools/random-history';
import { linksOf } from '@packhouse/conformance/tools/reached-objects';
import { packet, post, pushBody, reportOf, type Command } from '@packhouse/conformance/tools/wire-client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contents, git, tryGit } from '../support/git.ts';
import { makeFolder, removeFolder, startTestServer, type TestRepo, type TestServer } from '../support/test-server.ts';

let server: TestServer;
/** Folder of the repositories of one history. */
let folder: string;
let made = 0;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  expect(server.failures).toEqual([]);
  await server.close();
});

const cutOff = 'shallow update not allowed';
const missing = 'missing necessary objects';

/** Stock git has this object even if no client sent it. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** One push. Its numbers select items of a history of any size. */
const push = fc.record({
  values: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  /** Commits at which the client's history is cut off. */
  shallow: fc.array(fc.nat(), { maxLength: 3 }),
  /** Objects that the pack lacks. */
  dropped: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(fc.nat(), { minLength: 1, maxLength: 2 })),
  /** Objects that the pack has without need, and perhaps without what they reach. */
  strays: fc.array(fc.nat(), { maxLength: 3 }),
  /** True if the pack omits objects that the service has. */
  isLean: fc.boolean(),
});

type Push = typeof push extends fc.Arbitrary<infer Value> ? Value : never;

interface Request {
  readonly commands: readonly Command[];
  readonly shallow: readonly string[];
  readonly objects: ReadonlySet<string>;
}

/** Returns the ids of reachable objects if history is cut off at some commits. */
function reachedOver({ objects }: History, from: Iterable<string>, cut: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const left = [...from];
  for (let oid = left.pop(); oid !== undefined; oid = left.pop()) {
    if (found.has(oid)) continue;
    found.add(oid);
    const links = linksOf(objects.get(oid) as MadeObject);
    left.push(...links.filter(({ kind }) => !(cut.has(oid) && kind === 'commit')).map((link) => link.oid));
  }
  return found;
}

function requestOf(history: History, { values, shallow, dropped, strays, isLean }: Push, refs: Refs): Request {
  const all = [...history.objects.values()];
  const commits = all.filter(({ kind }) => kind === 'commit');
  const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T;
  const cut = new Set(shallow.map((number) => pick(commits, number).oid));
  const commands = new Map<string, Command>();
  for (const number of values) {
    // Most values are commits, and some of anything.
    const { oid, kind } = number % 4 === 0 ? pick(all, number >> 2) : pick(commits, number >> 2);
    const ref = `refs/${kind === 'commit' ? 'heads' : 'odd'}/${number % 3}`;
    commands.set(ref, { old: refs.get(ref) ?? '0'.repeat(40), new: oid, ref });
  }
  const wanted = [...commands.values()].map((command) => command.new);
  const objects = reachedOver(history, wanted, cut);
  if (isLean) for (const oid of reachedOver(history, refs.values(), new Set())) objects.delete(oid);
  const sent = [...objects].filter((oid) => oid !== emptyTree);
  for (const number of dropped) if (sent.length > 0) objects.delete(pick(sent, number));
  for (const number of strays) objects.add(pick(all, number).oid);
  return { commands: [...commands.values()], shallow: [...cut], objects };
}

type Refs = Map<string, string>;

function packOf({ objects: all }: History, { objects }: Request): Buffer {
  return pack(...[...objects].map((oid) => all.get(oid) as MadeObject));
}

function bodyOf(history: History, request: Request): Buffer {
  const shallow = request.shallow.map((oid) => packet(`shallow ${oid}\n`));
  return Buffer.concat([...shallow, pushBody(request.commands, packOf(history, request))]);
}

async function toService(repo: TestRepo, body: Uint8Array): Promise<string[]> {
  const reply = await post(repo, body, { service: 'git-receive-pack', version: 0 });
  return reportOf(reply.body);
}

/**
 * Pushes to a copy of a stock repository. Returns stock git's report and the folder of the copy. The report is
 * undefined if stock git dies of a missing object while it searches for boundaries.
 */
async function toStock(stock: string, body: Uint8Array): Promise<{ report: string[] | undefined; after: string }> {
  const after = join(folder, `stock-${made++}`);
  cpSync(stock, after, { recursive: true });
  const { status, stdout, stderr } = await tryGit(['receive-pack', '--stateless-rpc', after], { input: body });
  if (status === 128 && stderr.includes('unable to parse commit')) return { report: undefined, after };
  expect([status, stderr]).toEqual([0, expect.anything()]);
  return { report: reportOf(stdout), after };
}

async function newStock(): Promise<string> {
  const path = join(folder, `stock-${made++}`);
  await git(['init', '--quiet', '--bare', '--template=', path]);
  const settings = { 'receive.autogc': 'false', 'gc.auto': '0', 'receive.shallowUpdate': 'false' };
  for (const [name, value] of Object.entries({ ...settings, 'transfer.fsckObjects': 'false' }))
    await git(['config', name, value], { cwd: path });
  return path;
}

/** Returns true if stock git accepts a command once it has the history behind the client's boundary. */
async function isOnlyCutOff(history: History, request: Request, stock: string, command: Command): Promise<boolean> {
  const { objects } = history;
  const parents = request.shallow.flatMap((oid) => linksOf(objects.get(oid) as MadeObject));
  const behind = reachedOver(
    history,
    parents.filter(({ kind }) => kind === 'commit').map(({ oid }) => oid),
    new Set(),
  );
  // What the client left out on its own side of the boundary stays out.
  for (const oid of reachedOver(history, [command.new], new Set(request.shallow))) behind.delete(oid);
  const whole = { commands: [command], shallow: [], objects: new Set([...request.objects, ...behind]) };
  return (await toStock(stock, bodyOf(history, whole))).report?.[1] === `ok ${String(command.ref)}`;
}

/** Makes the pushes, each to the service and to stock git, and compares what they say and what they hold in the end. */
async function compare(history: History, pushes: readonly Push[], count: (what: string) => void): Promise<void> {
  const repo = await server.createRepo(`verdicts-${made++}`);
  const refs: Refs = new Map();
  let stock = await newStock();
  for (const picks of pushes) {
    const request = requestOf(history, picks, refs);
    const body = bodyOf(history, request);
    const report = await toService(repo, body);
    const oracle = await toStock(stock, body);
    expect([report[0], oracle.report?.[0] ?? 'unpack ok']).toEqual(['unpack ok', 'unpack ok']);
    expect(report).toHaveLength(request.commands.length + 1);
    const accepted: Command[] = [];
    for (const [i, command] of request.commands.entries()) {
      const [ours, theirs] = [report, oracle.report].map((lines) => {
        const line = lines?.[i + 1] ?? '';
        return line.startsWith('ok ') ? 'ok' : line.slice(`ng ${String(command.ref)} `.length);
      });
      if (ours === 'ok') accepted.push(command);
      count(`${ours} where stock git says ${theirs}`);
      if (ours === theirs || oracle.report === undefined) continue;
      // Where all of it is there the client's boundary does not matter to us, but to stock git.
      if (ours === 'ok') expect(theirs).toBe(cutOff);
      else {
        // Beside other commands stock git forgets the boundary, and where it meets it looks for nothing else.
        expect([cutOff, missing]).toContain(ours);
        const alone = (await toStock(stock, bodyOf(history, { ...request, commands: [command] }))).report?.[1];
        if (ours === cutOff) expect(alone).toBe(`ng ${String(command.ref)} ${cutOff}`);
        else if (alone?.endsWith(cutOff) === true)
          expect(await isOnlyCutOff(history, request, stock, command)).toBe(false);
        else expect(alone).toBe(`ng ${String(command.ref)} ${missing}`);
      }
    }
    // Of a push that changes nothing we keep nothing, and stock git all that came.
    const isKept = accepted.some((command) => command.old !== command.new);
    if (report.join() === oracle.report?.join()) {
      if (isKept) stock = oracle.after;
    } else {
      for (const command of accepted) {
        // The same as if all had come.
        const objects = reachedOver(history, [command.new], new Set());
        const whole = { commands: [command], shallow: [], objects };
        const taken = await toStock(stock, bodyOf(history, whole));
        expect(taken.report?.[1]).toBe(`ok ${String(command.ref)}`);
        stock = taken.after;
      }
      // What else came stays as well, and may be of use to a later push.
      if (isKept) await git(['unpack-objects', '-q'], { cwd: stock, input: packOf(history, request) });
    }
    for (const { ref, new: value } of accepted) refs.set(String(ref), value);
  }
  if (refs.size === 0) return;
  const clone = join(folder, `clone-${made++}`);
  await git([...repo.auth, 'clone', '--quiet', '--mirror', repo.remote, clone]);
  await git(['fsck', '--full', '--strict'], { cwd: clone });
  expect(await contents(clone)).toEqual(await contents(stock));
}

it('GIT-119, GIT-149, GIT-152: every command ends as with stock git, over random histories, packs and boundaries', async () => {
  const seen = new Map<string, number>();
  const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(
      historySteps({ isOdd: false, most: 16 }),
      fc.array(push, { minLength: 3, maxLength: 6 }),
      async (steps, pushes) => {
        folder = makeFolder();
        try {
          await compare(buildHistory(steps), pushes, count);
        } finally {
          removeFolder(folder);
        }
      },
    ),
    { numRuns: 25, endOnFailure: true },
  );
  // Each verdict was met, also where ours is another one than that of stock git.
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([
      'ok where stock git says ok',
      `ok where stock git says ${cutOff}`,
      `${cutOff} where stock git says ${cutOff}`,
      `${missing} where stock git says ${missing}`,
    ]),
  );
}, 300_000);
