/** How replies to fetches may differ from those of stock `git upload-pack`. */

import type { History } from '@packhouse/conformance/tools/random-history';
import { reached } from '@packhouse/conformance/tools/reached-objects';
import { letThrough } from '../support/filter-model.ts';
import { complete, declared, parentsOf, reachedWithin, tagsOf, type ToldClient } from '../support/history-model.ts';
import { absoluteDepth, toldBy } from '../support/random-fetches.ts';
import { both, linesOfParts, type Difference, type Replies } from './difference.ts';
import { unknownId, type FetchAsk } from './fetch-asks.ts';
import { printed, type ReplyPart } from './reply-parts.ts';

/** The facts on which the differences of a fetch depend. */
export interface FetchContext {
  readonly ask: FetchAsk;
  readonly history: History;
  /** The text of stock `git` when it died; undefined if it ended well. */
  readonly died: string | undefined;
}

/**
 * A request as stock `git` gets it: Git before 2.54 counts a relative depth from each line of the client (GIT-074), so it
 * is asked for the absolute depth.
 */
export function askOfStock(ask: FetchAsk, history: History): FetchAsk {
  return { ...ask, depth: absoluteDepth({ ...ask, wants: ask.wanted }, history) };
}

const noCommits = 'no commits selected for shallow requests';
const twoLimits = 'deepen and deepen-since (or deepen-not) cannot be used together';

const nothing: Replies = { ours: [], stock: [] };

function refusal({ words }: FetchAsk, text: string): ReplyPart {
  return words.includes('sideband-all') ? { kind: 'error', text } : { kind: 'line', text: `ERR ${text}` };
}

function client(parts: readonly ReplyPart[], { ask }: FetchContext): ToldClient {
  return { own: [], haves: ask.haves, shallow: ask.shallow, told: toldBy(linesOfParts(parts)) };
}

export const fetchDifferences: readonly Difference<FetchContext>[] = [
  {
    name: 'a refusal in words',
    from: 'GIT-017',
    why: 'Stock git dies and writes the reason to its log, perhaps after a part of the reply; we send it as ERR.',
    without({ ours, stock }, { died, ask }) {
      const reason = /^fatal: (?:git upload-pack: )?(.*)\n/.exec(died ?? '')?.[1];
      const isTold = linesOfParts(stock).some((line) => line.startsWith('ERR '));
      if (reason === undefined || isTold) return { ours, stock };
      return { ours, stock: [refusal(ask, reason)] };
    },
  },
  {
    name: 'a want that no ref reaches',
    from: 'GIT-060, GIT-073',
    why: 'Stock git serves what it stores: in version 2 any object, in the others trees and blobs. What it does refuse it refuses before limits that exclude each other.',
    without(replies, { ask, history }) {
      const visible = reached(
        [...history.refs.values()].map(({ oid }) => oid),
        history.objects,
      );
      const hidden = ask.wants.find((oid) => history.objects.has(oid) && !visible.has(oid));
      if (hidden === undefined) return replies;
      const notOurs = (oid: string): string => printed([refusal(ask, `upload-pack: not our ref ${oid}`)]);
      const [ours, stock] = [printed(replies.ours), printed(replies.stock)];
      // Of several wants, stock git may name one that is reached, too.
      const isRefusedFirst =
        ours === printed([refusal(ask, twoLimits)]) && ask.wants.some((oid) => stock === notOurs(oid));
      return ours === notOurs(hidden) || isRefusedFirst ? nothing : replies;
    },
  },
  {
    name: 'progress',
    from: 'GIT-070',
    why: 'Band 2 is text for people, and each server has its own.',
    without: (replies) => both((parts) => parts.filter(({ kind }) => kind !== 'progress'), replies),
  },
  {
    name: 'bytes of a pack',
    from: 'GIT-067, GIT-069',
    why: 'Order, compression, deltas and the cut into packets are free. The objects of a pack are compared.',
    without: (replies) =>
      both(
        (parts) =>
          parts.map((part) =>
            part.kind === 'pack' ? { kind: 'objects', ids: part.objects.map(({ oid }) => oid).sort() } : part,
          ),
        replies,
      ),
  },
  {
    name: 'order of shallow lines',
    from: 'GIT-072',
    why: 'Stock git sends them as its walk meets the commits, one perhaps twice; neither has a meaning.',
    without: (replies) =>
      both((parts) => {
        const sorted = [...new Set(parts.filter(isShallowLine).map(({ text }) => text))].sort();
        return parts.flatMap((part) => {
          if (!isShallowLine(part)) return [part];
          const text = sorted.shift();
          return text === undefined ? [] : [{ ...part, text }];
        });
      }, replies),
  },
  {
    name: 'an unknown have after ready',
    from: 'GIT-064',
    why: 'Once ready, stock git acknowledges ids that it does not have, and not the last common one as ready.',
    without({ ours, stock }, { ask }) {
      const lines = linesOfParts(stock);
      const isUnknown = (text: string): boolean => new RegExp(`^ACK ${unknownId} (?:ready|continue)\n$`).test(text);
      if (!lines.some(isUnknown)) return { ours, stock };
      const left = stock.filter((part) => part.kind !== 'line' || !isUnknown(part.text));
      const last = linesOfParts(left).findLast((text) => text.endsWith(' common\n'));
      const end = left.findIndex((part) => part.kind === 'line' && part.text === 'NAK\n');
      if (last === undefined || ask.end === 'done' || end < 0) return { ours, stock: left };
      return { ours, stock: left.toSpliced(end, 0, { kind: 'line', text: last.replace(' common', ' ready') }) };
    },
  },
  {
    name: 'when to be ready',
    from: 'GIT-064',
    why: 'Stock git also counts parents of what is common and wants that are no commits, and looks at dates.',
    without(replies, { ask, history }) {
      const [ours, stock] = [isReady(replies.ours), isReady(replies.stock)];
      return ours === stock || ours !== shouldBeReady(ask, history) ? replies : both(acknowledged, replies);
    },
  },
  {
    name: 'place of wanted-refs',
    from: 'GIT-094',
    why: 'Stock git sends the section before shallow-info, where its own client does not take it, after 2.39 in any order.',
    without: ({ ours, stock }) => {
      const sections = sectionsOf(stock);
      const at = sections.findIndex((section) => isSection(section, 'shallow-info\n'));
      const from = sections.findIndex((section) => isSection(section, 'wanted-refs\n'));
      if (from >= 0 && from === at - 1)
        sections.splice(from, 2, sections[at] as ReplyPart[], sections[from] as ReplyPart[]);
      return both((parts) => sectionsOf(parts).flatMap(withSortedRefs), { ours, stock: sections.flat() });
    },
  },
  {
    name: 'an unknown deepen-not',
    from: 'GIT-073',
    why: 'Stock git has texts of its own.',
    without({ ours, stock }, { ask }) {
      const texts = ['ambiguous deepen-not: deepen-not none', 'deepen-not is not a ref: deepen-not none'];
      const isIt = texts.some((text) => printed(stock) === printed([refusal(ask, text)]));
      return { ours, stock: isIt ? [refusal(ask, noCommits)] : stock };
    },
  },
  {
    name: 'depth that is refused at once',
    from: 'GIT-017, GIT-073',
    why: 'In version 2 stock git looks at the depth once a pack follows; we refuse in any round.',
    without({ ours, stock }, { ask }) {
      const isRefused = [noCommits, twoLimits].some((text) => printed(ours) === printed([refusal(ask, text)]));
      const isRound =
        ask.version === 2 && stock.at(-1)?.kind === 'flush' && !linesOfParts(stock).includes('packfile\n');
      return isRefused && isRound ? { ours: [], stock: [] } : { ours, stock };
    },
  },
  {
    name: 'depth of nothing',
    from: 'GIT-013, GIT-063',
    why: 'Stock git answers a depth without a want by its boundary, and completes lines of the client.',
    without: (replies, { ask }) =>
      ask.version < 2 && ask.wants.length === 0 && replies.ours.length === 0 ? nothing : replies,
  },
  {
    name: 'waiting for done',
    from: 'GIT-096, GIT-097',
    why: 'With wait-for-done stock git sends a pack where no have or no want came; we send acknowledgements.',
    without(replies, { ask }) {
      if (!ask.words.includes('wait-for-done') || (ask.haves.length > 0 && ask.wanted.length > 0)) return replies;
      const [first, ...rest] = replies.ours;
      const isOurs = first?.kind === 'line' && first.text === 'acknowledgments\n' && rest.at(-1)?.kind === 'flush';
      const isStocks =
        linesOfParts(replies.stock).includes('packfile\n') ||
        printed(replies.stock) === printed([refusal(ask, noCommits)]);
      return isOurs && isStocks ? nothing : replies;
    },
  },
  {
    name: 'repeated acknowledgements',
    from: 'GIT-062, GIT-095',
    why: 'Stock git repeats the ACK for a repeated have in version 2, and for known ancestors without multi_ack.',
    without({ ours, stock }, { ask }) {
      if (ask.version < 2 && ask.words.some((word) => word.startsWith('multi_ack'))) return { ours, stock };
      const acks = stock.map(ackOf);
      const isFirst = (ack: string | undefined, at: number): boolean =>
        ask.version === 2 ? acks.indexOf(ack) === at : acks.findIndex((one) => one !== undefined) === at;
      return { ours, stock: stock.filter((part, at) => ackOf(part) === undefined || isFirst(acks[at], at)) };
    },
  },
  {
    name: 'acknowledgements of parents',
    from: 'GIT-095',
    why: 'After 2.39, stock git leaves out what an earlier have is a child of in version 2.',
    without({ ours, stock }, { ask, history }) {
      if (ask.version < 2) return { ours, stock };
      const acks = new Set(stock.map(ackOf));
      const isParent = (oid: string): boolean =>
        ask.haves.slice(0, ask.haves.indexOf(oid)).some((one) => parentsOf(one, history.objects).includes(oid));
      const isKept = (ack: string | undefined): boolean => ack === undefined || acks.has(ack) || !isParent(ack);
      return { ours: ours.filter((part) => isKept(ackOf(part))), stock };
    },
  },
  {
    name: 'shallow lines behind a cut',
    from: 'decision 0014',
    why: 'In a selection stock git names commits that the client does not get, as they lie behind another boundary.',
    without({ ours, stock }, context) {
      if (!context.ask.depth.some((line) => /^deepen-(?:since|not)/.test(line))) return { ours, stock };
      const whole = complete(context.ask.wanted, client(stock, context), context.history.objects);
      const isKept = (part: ReplyPart): boolean =>
        !isShallowLine(part) || whole.has(part.text.slice('shallow '.length));
      return { ours, stock: stock.filter(isKept) };
    },
  },
  {
    name: 'objects that the client declared',
    from: 'GIT-066',
    why: 'Stock git may send them again; we do only if they are wanted by id.',
    without(replies, context) {
      const held = declared(client(replies.ours, context), context.history.objects);
      return both((parts) => withoutIds(parts, held), replies);
    },
  },
  {
    name: 'tags of objects that the client declared',
    from: 'GIT-068',
    why: 'A tag comes along with the object that it names, and only one side sends that object again.',
    without(replies, context) {
      if (!context.ask.words.includes('include-tag')) return replies;
      const held = declared(client(replies.ours, context), context.history.objects);
      const tags = tagsOf(context.history, held);
      return both((parts) => withoutIds(parts, tags), replies);
    },
  },
  {
    name: 'objects of a filter',
    from: 'GIT-081 to GIT-086',
    why: 'Stock git forgets that an object is wanted or lies at two places, and sends the parents of an unshallow line.',
    without({ ours, stock }, context) {
      const { ask, history } = context;
      const { objects } = history;
      if (ask.filter === undefined) return { ours, stock };
      const told = client(ours, context);
      const expected = letThrough(ask.parts, ask.wanted, told, objects);
      const tags = ask.words.includes('include-tag') ? tagsOf(history, expected) : new Set<string>();
      const held = declared(told, objects);
      const isExact = idsOf(ours).every((oid) => expected.has(oid) || tags.has(oid));
      // Taken out above.
      const taken = new Set([...held, ...tagsOf(history, held)]);
      const isWhole = [...expected].every((oid) => taken.has(oid) || idsOf(ours).includes(oid));
      if (!isExact || !isWhole) return { ours, stock };
      const parents = new Set(told.told.unshallow.flatMap((oid) => parentsOf(oid, objects)));
      const more = new Set([...parents, ...tagsOf(history, parents)]);
      const has = new Set(idsOf(stock));
      const lost = idsOf(ours).filter((oid) => !has.has(oid) && objects.get(oid)?.kind !== 'commit');
      return { ours: withoutIds(ours, new Set([...more, ...lost])), stock: withoutIds(stock, more) };
    },
  },
];

function isShallowLine(part: ReplyPart): part is { kind: 'line'; text: string } {
  return part.kind === 'line' && /^shallow [0-9a-f]{40}$/.test(part.text);
}

function withoutIds(parts: readonly ReplyPart[], ids: ReadonlySet<string>): readonly ReplyPart[] {
  return parts.map((part) =>
    part.kind === 'objects' ? { ...part, ids: part.ids.filter((oid) => !ids.has(oid)) } : part,
  );
}

function idsOf(parts: readonly ReplyPart[]): readonly string[] {
  return parts.flatMap((part) => (part.kind === 'objects' ? part.ids : []));
}

function isReady(parts: readonly ReplyPart[]): boolean {
  return linesOfParts(parts).some((text) => /^(?:ACK [0-9a-f]{40} )?ready\n$/.test(text));
}

/** GIT-064: every want of a commit reaches a common object in the history that the client has. */
function shouldBeReady({ wanted, haves, shallow, words, end }: FetchAsk, { objects }: History): boolean {
  const common = haves.filter((oid) => objects.has(oid));
  if (common.length === 0 || end === 'done' || words.includes('wait-for-done')) return false;
  const cuts = new Set(shallow);
  return wanted.every((want) => {
    const found = reachedWithin([want], objects, cuts);
    return ![...found].some((oid) => objects.get(oid)?.kind === 'commit') || common.some((oid) => found.has(oid));
  });
}

/** The lines before the end of a round. */
function acknowledged(parts: readonly ReplyPart[]): readonly ReplyPart[] {
  const acks = parts.findIndex((part) => part.kind === 'line' && /^(?:ACK |acknowledgments)/.test(part.text));
  const isEnd = (part: ReplyPart): boolean => part.kind !== 'line' || /ready\n$|^NAK\n$/.test(part.text);
  const end = parts.findIndex((part, at) => at > acks && isEnd(part));
  return parts.slice(0, end);
}

/** Sections of version 2, each with the delim or flush that ends it. */
function sectionsOf(parts: readonly ReplyPart[]): ReplyPart[][] {
  const sections: ReplyPart[][] = [[]];
  for (const part of parts) {
    sections.at(-1)?.push(part);
    if (part.kind === 'delim' || part.kind === 'flush') sections.push([]);
  }
  return sections;
}

/** The id that a line of version 2, or of no mode of version 0, acknowledges. */
function ackOf(part: ReplyPart): string | undefined {
  return part.kind === 'line' ? /^ACK ([0-9a-f]{40})\n$/.exec(part.text)?.[1] : undefined;
}

function withSortedRefs(section: readonly ReplyPart[]): readonly ReplyPart[] {
  if (!isSection(section, 'wanted-refs\n')) return section;
  return [section[0] as ReplyPart, ...section.slice(1, -1).sort(byText), section.at(-1) as ReplyPart];
}

function byText(one: ReplyPart, other: ReplyPart): number {
  return printed([one]) < printed([other]) ? -1 : 1;
}

function isSection([first]: readonly ReplyPart[], name: string): boolean {
  return first?.kind === 'line' && first.text === name;
}
