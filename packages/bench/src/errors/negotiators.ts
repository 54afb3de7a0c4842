import { negotiate } from '@packhouse/problem-details';
import { Context } from 'hono';
import { accepts } from 'hono/accepts';
import Negotiator from 'negotiator';
import { acceptHeaders } from './accept-headers.ts';

/** A contender that chooses a format by a header. */
export interface Negotiating {
  readonly name: string;
  /**
   * Returns a function that makes the choice for one header. Work that belongs to each request is repeated in each
   * call.
   */
  readonly prepare: (accept: string) => () => string;
}

const types = ['text/html', 'application/json', 'application/problem+json', 'text/markdown'];

/** A context whose request has only the header, so that looking it up takes no time. */
const contextOf = (accept: string): Context => new Context({ headers: { get: () => accept } } as unknown as Request);

/** The contenders, this project's first. */
export const negotiators: readonly Negotiating[] = [
  { name: 'packhouse', prepare: (accept) => () => negotiate(accept) },
  {
    name: 'hono/accepts',
    prepare: (accept) => {
      const context = contextOf(accept);
      return () => accepts(context, { header: 'Accept', supports: types, default: 'text/html' });
    },
  },
  {
    name: 'negotiator',
    prepare: (accept) => () => new Negotiator({ headers: { accept } }).mediaType(types) ?? 'text/html',
  },
];

/**
 * Checks that all choose the same for each header. Throws an error that names the one that differs: its speed would
 * mean nothing.
 */
export const checkAgreement = (contenders: readonly Negotiating[] = negotiators): void => {
  for (const { sender, value, chosen } of acceptHeaders) {
    for (const { name, prepare } of contenders) {
      const choice = prepare(value)();
      if (choice !== chosen) throw new Error(`${name} chooses ${choice} for ${sender} (${value}), not ${chosen}`);
    }
  }
};
