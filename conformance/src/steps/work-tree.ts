/** Working trees of stock git, and the packets that it sends. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, TestRepo } from '../core/context.ts';
import { sample } from '../tools/dice.ts';

/** The protocol versions that `protocol.version` accepts. */
export const protocolVersions = ['0', '1', '2'] as const;
export type ProtocolVersion = (typeof protocolVersions)[number];

/** Returns version 2 and one of the older ones, for cases where each version costs seconds. Other runs try the other. */
export function someVersions(t: Pick<Context, 'seed' | 'runs'>): readonly ProtocolVersion[] {
  return [...sample(t, protocolVersions.slice(0, 2), 1), '2'];
}

/** Makes an empty repository of stock git with the branch `main`. Returns its folder. */
export async function freshWork(t: Context): Promise<string> {
  const work = await t.folder();
  await t.git(['init', '--quiet', '--initial-branch=main', work]);
  return work;
}

/** Commits a file. Returns the id of the commit. */
export async function commitFile(t: Context, cwd: string, file: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(cwd, file), content);
  await t.git(['add', file], { cwd });
  await t.git(['commit', '--quiet', '-m', `write ${file}`], { cwd });
  // A new commit is in a file of its branch, so that no process has to tell it.
  const head = /^ref: (.+)/.exec(await readFile(join(cwd, '.git', 'HEAD'), 'utf8'))?.[1];
  if (head === undefined) return await revision(t, cwd, 'HEAD');
  return (await readFile(join(cwd, '.git', head), 'utf8')).trim();
}

/** Returns the id of a revision. */
export async function revision(t: Context, cwd: string, name: string): Promise<string> {
  return (await t.git(['rev-parse', name], { cwd })).trim();
}

/** Returns refs and objects of a repository, to compare two. */
export async function contentsOf(t: Context, cwd: string): Promise<{ refs: string[]; objects: string[] }> {
  const refs = await t.git(['for-each-ref', '--format=%(refname) %(objectname)'], { cwd });
  const objects = await t.git(['rev-list', '--objects', '--all', '--no-object-names'], { cwd });
  return { refs: refs.trim().split('\n'), objects: [...new Set(objects.trim().split('\n'))].sort() };
}

/** Returns arguments of stock git for one version of the protocol, with the token of a repo. */
export function speaking(version: ProtocolVersion, repo: Pick<TestRepo, 'auth'>): string[] {
  return ['-c', `protocol.version=${version}`, ...repo.auth];
}

/** One run of stock git with its packets. */
export interface Traced {
  readonly status: number;
  readonly stderr: string;
  /** Sent packets as text, in order. */
  readonly sent: readonly string[];
  /** Received packets, without the prefix of band 1: with `sideband-all` every packet has a band. */
  readonly received: readonly string[];
  /** How many received lines had the prefix of band 1. */
  readonly banded: number;
  /** Header lines of its HTTP requests, in lower case. */
  readonly headers: readonly string[];
}

/** Runs stock git and records its packets and requests, so that a silent fallback is visible. */
export async function traced(
  t: Context,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Traced> {
  // Recorded in files: standard error of git may be long, and helpers of git write to it, too.
  const folder = await t.folder();
  const [packetFile, curlFile] = [join(folder, 'packets'), join(folder, 'requests')];
  const traces = { GIT_TRACE_PACKET: packetFile, GIT_TRACE_CURL: curlFile, GIT_TRACE_CURL_NO_DATA: '1' };
  const { status, stderr } = await t.tryGit(args, { cwd, env: { ...env, ...traces } });
  const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');
  const [packetLines, curlLines] = await Promise.all([read(packetFile), read(curlFile)]);
  const packets = (direction: string): string[] =>
    [...packetLines.matchAll(new RegExp(`packet: +[a-z-]+${direction} (?:\\\\1)?(.*)$`, 'gm'))].map(
      ([, text]) => text as string,
    );
  const banded = [
    ...packetLines.matchAll(/packet: +[a-z-]+< \\1(?:acknowledgments|shallow-info|wanted-refs|packfile)$/gm),
  ];
  const headers = [...curlLines.matchAll(/=> Send header: (.*)$/gm)].map(([, line]) => (line as string).toLowerCase());
  return { status, stderr, sent: packets('>'), received: packets('<'), banded: banded.length, headers };
}
