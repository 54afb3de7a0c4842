/** How replies to pushes may differ from those of stock `git receive-pack`. */

import { both, type Difference } from './difference.ts';
import { noValue, type PushAsk } from './push-asks.ts';
import type { ReplyPart } from './reply-parts.ts';

/** The facts on which the differences of a push depend. */
export interface PushContext {
  readonly ask: Omit<PushAsk, 'body'>;
  /** Refs before the push. */
  readonly refs: ReadonlyMap<string, string>;
}

/** Our texts for failed updates, each with those of stock git: one in 2.39, several later. */
const reasons = [
  ['stale ref', 'not a commit', 'conflicts with refs/.*', 'failed to update ref'],
  ['refname conflict', 'reference already exists', 'reference does not exist', 'incorrect old value provided'],
  ['invalid new value provided', 'expected symref but found regular ref'],
].flat();
const notUpdated = new RegExp(`^(ng \\S+) (?:${reasons.join('|')})\n$`);

export const pushDifferences: readonly Difference<PushContext>[] = [
  {
    name: 'progress',
    from: 'GIT-116, GIT-165',
    why: 'Band 2 is text for people, and each server has its own.',
    without: (replies) => both((parts) => parts.filter(({ kind }) => kind !== 'progress'), replies),
  },
  {
    name: 'why a pack is refused',
    from: 'GIT-111, GIT-140 to GIT-145',
    why: 'Stock git names its program that failed; we name what is wrong with the pack.',
    without: (replies) =>
      both((parts) => onLines(parts, (text) => text.replace(/^unpack (?!ok\n).*/, 'unpack refused')), replies),
  },
  {
    name: 'why a ref is not updated',
    from: 'GIT-123, GIT-124, GIT-125',
    why: 'Stock git has texts of its own for what fails in its transaction.',
    without: (replies) =>
      both((parts) => onLines(parts, (text) => text.replace(notUpdated, '$1 not updated\n')), replies),
  },
  {
    name: 'the first of two reasons',
    from: 'GIT-120, GIT-149',
    why: 'Stock git looks for missing objects before names and old values; we look at names first.',
    without(replies, { ask }) {
      if (!ask.isLacking) return replies;
      const reason = /^(ng .+?) (?:funny refname|not updated|missing necessary objects)\n$/;
      return both((parts) => onLines(parts, (text) => text.replace(reason, '$1 refused\n')), replies);
    },
  },
  {
    name: 'reasons of an atomic push',
    from: 'GIT-151',
    why: 'Stock git gives its own reason to the first refused command alone, and to none if its transaction fails.',
    without(replies, { ask }) {
      if (!ask.words.includes('atomic')) return replies;
      return both((parts) => onLines(parts, (text) => text.replace(/^(ng \S+) .*/, '$1 refused')), replies);
    },
  },
  {
    name: 'deletions by another old value',
    from: 'GIT-125',
    why: 'Stock git compares no old value if there is none, if it lacks the object, or if the ref does not exist.',
    without: (replies, context) => withoutVerdicts(replies, affected(oddDeletions(context), context)),
  },
  {
    name: 'two commands for one ref',
    from: 'GIT-128',
    why: 'Stock git carries out the first of them if the push is not atomic; after 2.39 it refuses all commands.',
    without: (replies, context) => withoutVerdicts(replies, affected(namedTwice(context), context)),
  },
  {
    name: 'a ref in the place of another',
    from: 'GIT-124',
    why: 'Stock git takes commands in their order if the push is not atomic; we delete the other ref first.',
    without: (replies, context) => withoutVerdicts(replies, affected(sharedPlaces(context), context)),
  },
  {
    name: 'an atomic push that lacks objects',
    from: 'GIT-149, GIT-151',
    why: 'Stock git carries out the commands of an atomic push whose objects it has, although it refuses others.',
    without: (replies, context) => withoutVerdicts(replies, affected(lackingRefs(context), context)),
  },
];

/** Refs that a push may leave with another value than stock git does. */
export function freeRefs(context: PushContext): ReadonlySet<string> {
  const lists = [oddDeletions, namedTwice, sharedPlaces, lackingRefs].map((find) => find(context));
  return affected(lists.flat(), context);
}

function oddDeletions({ ask, refs }: PushContext): readonly string[] {
  return ask.commands.filter((one) => one.new === noValue && one.old !== refs.get(one.ref)).map(refOf);
}

/** All refs of a push that names one twice. */
function namedTwice({ ask }: PushContext): readonly string[] {
  const refs = ask.commands.map(refOf);
  return new Set(refs).size < refs.length ? refs : [];
}

function sharedPlaces({ ask }: PushContext): readonly string[] {
  const refs = ask.commands.map(refOf);
  return refs.filter((ref) => refs.some((one) => one.startsWith(`${ref}/`)));
}

function lackingRefs({ ask }: PushContext): readonly string[] {
  return ask.isLacking && ask.words.includes('atomic') ? ask.commands.map(refOf) : [];
}

/** Refs of the push that depend on some of them: all of an atomic one, else those that cannot exist beside them. */
function affected(free: readonly string[], { ask }: PushContext): ReadonlySet<string> {
  const refs = ask.commands.map(refOf);
  if (free.length > 0 && ask.words.includes('atomic')) return new Set(refs);
  const depends = (ref: string): boolean =>
    free.some((one) => one === ref || one.startsWith(`${ref}/`) || ref.startsWith(`${one}/`));
  return new Set(refs.filter(depends));
}

const refOf = ({ ref }: { readonly ref: string }): string => ref;

function onLines(parts: readonly ReplyPart[], change: (text: string) => string): readonly ReplyPart[] {
  return parts.map((part) => (part.kind === 'line' ? { ...part, text: change(part.text) } : part));
}

function withoutVerdicts(replies: Parameters<typeof both>[1], refs: ReadonlySet<string>): ReturnType<typeof both> {
  const change = (text: string): string => {
    const ref = /^(?:ok|ng) (\S+)/.exec(text)?.[1];
    return ref !== undefined && refs.has(ref) ? `verdict ${ref}` : text;
  };
  return both((parts) => onLines(parts, change), replies);
}
