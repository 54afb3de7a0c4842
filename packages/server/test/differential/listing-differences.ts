/** How discovery, `ls-refs` and `object-info` may differ from those of stock `git`. */

import { both, type Difference } from './difference.ts';
import { printed, type ReplyPart } from './reply-parts.ts';

export const listingDifferences: readonly Difference<{ readonly ask: object }>[] = [
  {
    name: 'the line of the service',
    from: 'GIT-041',
    why: 'git http-backend sends it and not upload-pack, and in version 2 only we do.',
    without({ ours, stock }) {
      const [first, second] = ours;
      const isIt = first?.kind === 'line' && first.text.startsWith('# service=git-') && second?.kind === 'flush';
      return { ours: isIt ? ours.slice(2) : ours, stock };
    },
  },
  {
    name: 'who serves',
    from: 'GIT-049',
    why: 'Each server has a name and session ids of its own.',
    without: (replies) =>
      both((parts) => onLines(parts, (text) => text.replace(/(agent|session-id)=[!-~]+/g, '$1=')), replies),
  },
  {
    name: 'order of capabilities',
    from: 'GIT-044, GIT-045, GIT-047',
    why: 'No order has a meaning.',
    without: (replies) => both(sorted, replies),
  },
  {
    name: 'a capability that is not offered',
    from: 'GIT-047, GIT-051',
    why: 'We offer no server-option; Git names the one member of object-info only after 2.39.',
    without: (replies) =>
      both((parts) => {
        const left = parts.filter((part) => part.kind !== 'line' || part.text !== 'server-option\n');
        return onLines(left, (text) => (text === 'object-info=size\n' ? 'object-info\n' : text));
      }, replies),
  },
  {
    name: 'an empty repo',
    from: 'GIT-046',
    why: 'Git tells the capabilities of upload-pack for a repository without refs only after 2.39.',
    without({ ours, stock }) {
      const line = /^0{40} capabilities\^\{\}\0/;
      const isIt = (part: ReplyPart): boolean => part.kind === 'line' && line.test(part.text);
      return stock.some(isIt) ? { ours, stock } : { ours: ours.filter((part) => !isIt(part)), stock };
    },
  },
];

function onLines(parts: readonly ReplyPart[], change: (text: string) => string): readonly ReplyPart[] {
  return parts.map((part) => (part.kind === 'line' ? { ...part, text: change(part.text) } : part));
}

function sorted(parts: readonly ReplyPart[]): readonly ReplyPart[] {
  const listed = onLines(parts, (text) => {
    const [line, words] = text.trimEnd().split('\0');
    return words === undefined ? text : `${line}\0${words.trim().split(' ').sort().join(' ')}\n`;
  });
  const [first, ...lines] = listed.slice(0, -1);
  if (first?.kind !== 'line' || first.text !== 'version 2\n') return listed;
  const byText = (one: ReplyPart, other: ReplyPart): number => (printed([one]) < printed([other]) ? -1 : 1);
  return [first, ...lines.sort(byText), listed.at(-1) as ReplyPart];
}
