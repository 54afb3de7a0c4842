import { gzipSync } from 'node:zlib';
import {
  commitBody,
  emptyTreeId,
  HostilePack,
  objectId,
  packet,
  pushBody,
  shortRef,
  type HostileCommand,
  type HostileReply,
  type HostileRepo,
} from '@packhouse/fixtures/hostile';
import { openTemporaryService } from '../../service/temporary-service.ts';
import type { Area, Field, Values } from '../inputs/area.ts';
import { cutPush } from '../inputs/effort.ts';
import { shapes } from '../inputs/shapes.ts';

const mebibyte = 1024 * 1024;

export const pushFields: Readonly<Record<string, Field>> = {
  shape: { max: shapes.length - 1 },
  size: { max: 32 * mebibyte, byMagnitude: true },
  count: { max: 20_000, byMagnitude: true },
  secondShape: { max: shapes.length - 1 },
  secondSize: { max: mebibyte, byMagnitude: true },
  secondCount: { max: 1_000, byMagnitude: true },
  refs: { max: 10_000, byMagnitude: true },
  nameLength: { max: 1_000, byMagnitude: true },
  shallow: { max: 20_000, byMagnitude: true },
  options: { max: 100, byMagnitude: true },
  flags: { max: 127 },
  parallel: { max: 60, byMagnitude: true },
};

const flags = { gzip: 1, atomic: 2, twice: 4, oneTarget: 8, secondPush: 16, sideBand: 32, slashes: 64 } as const;

/** Pushes packs that no client makes to a new repository. */
export const pushArea: Area = {
  name: 'push',
  fields: pushFields,
  cut: cutPush,
  open() {
    const service = openTemporaryService();
    return Promise.resolve({
      service,
      async trial(values) {
        const repos: HostileRepo[] = [];
        for (let i = 0; i < Math.max(1, values['parallel'] ?? 1); i++) repos.push(await service.target.createRepo());
        const { body, tips, pack } = buildPush(values);
        const has = (flag: number): boolean => ((values['flags'] ?? 0) & flag) !== 0;
        const sent = has(flags.gzip) ? gzipSync(body) : body;
        const encoding = has(flags.gzip) ? ('gzip' as const) : undefined;
        const again = has(flags.secondPush) ? buildUpdate(values, tips, pack) : undefined;
        const pushTo = async (repo: HostileRepo): Promise<readonly HostileReply[]> => {
          const first = await repo.push(sent, encoding);
          return again === undefined ? [first] : [first, await repo.push(again)];
        };
        return {
          sent: repos.length * (sent.length + (again?.length ?? 0)),
          run: async () => (await Promise.all(repos.map(pushTo))).flat(),
        };
      },
    });
  },
};

interface BuiltPack {
  readonly pack: Buffer;
  /** Ids that refs can point to. */
  readonly tips: readonly string[];
}

/** Builds the pack of an input. */
export function buildPack(values: Values): BuiltPack {
  const pack = new HostilePack();
  const root = commitBody(emptyTreeId);
  pack.whole('tree', new Uint8Array(0));
  pack.whole('commit', root);
  const tips: string[] = [];
  const add = (shape = 0, size = 0, count = 0): void => {
    tips.push(...(shapes[shape]?.add(pack, size, Math.max(1, count)) ?? []));
  };
  add(values['shape'], values['size'], values['count']);
  if ((values['secondCount'] ?? 0) > 0) add(values['secondShape'], values['secondSize'], values['secondCount']);
  if (((values['flags'] ?? 0) & flags.twice) !== 0) add(values['shape'], values['size'], values['count']);
  return { pack: pack.bytes(), tips: tips.length > 0 ? tips : [objectId('commit', root)] };
}

/** Builds the body of a push. Returns also the ids that its refs can point to. */
export function buildPush(values: Values): BuiltPack & { readonly body: Buffer } {
  const { pack, tips } = buildPack(values);
  const isOneTarget = ((values['flags'] ?? 0) & flags.oneTarget) !== 0;
  const commands = Array.from({ length: Math.max(1, values['refs'] ?? 1) }, (_, i): HostileCommand => {
    const to = tips[isOneTarget ? tips.length - 1 : i % tips.length] as string;
    return { ref: refName(i, values), to };
  });
  const shallow = Array.from({ length: values['shallow'] ?? 0 }, (_, i) =>
    packet(`shallow ${tips[i % tips.length] as string}\n`),
  ).join('');
  const options = values['options'] ?? 0;
  const lines = ['report-status'];
  if (((values['flags'] ?? 0) & flags.atomic) !== 0) lines.push('atomic');
  if (((values['flags'] ?? 0) & flags.sideBand) !== 0) lines.push('side-band-64k');
  if (options > 0) lines.push('push-options');
  const optionLines = Array.from({ length: options }, (_, i) => packet(`o${i}`)).join('');
  const body = pushBody(commands, new Uint8Array(0), lines.join(' '));
  const parts = [shallow, body, options > 0 ? `${optionLines}0000` : '', pack];
  return { body: Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array))), tips, pack };
}

/** Builds a second push of the same pack that moves every ref to another value. */
function buildUpdate(values: Values, tips: readonly string[], pack: Buffer): Buffer {
  const commands = Array.from({ length: Math.max(1, values['refs'] ?? 1) }, (_, i): HostileCommand => {
    const isOneTarget = ((values['flags'] ?? 0) & flags.oneTarget) !== 0;
    const from = tips[isOneTarget ? tips.length - 1 : i % tips.length] as string;
    return { ref: refName(i, values), from, to: tips[0] as string };
  });
  return pushBody(commands, pack);
}

function refName(number: number, values: Values): string {
  if (number === 0) return 'refs/tags/main';
  const isDeep = ((values['flags'] ?? 0) & flags.slashes) !== 0;
  const length = values['nameLength'] ?? 0;
  const folders = isDeep ? 'n/'.repeat(Math.ceil(length / 2)) : 'n'.repeat(length);
  return `refs/tags/${folders}${shortRef(number).slice('refs/heads/'.length)}`;
}
