import { negotiate } from '@packhouse/problem-details';
import { Context } from 'hono';
import { accepts } from 'hono/accepts';
import Negotiator from 'negotiator';
import { acceptHeaders } from './accept-headers.ts';

/** Something that chooses a format by a header. */
export interface Negotiating {
  readonly name: string;
  /** Makes the choice, for one header, as often as it is called; whatever is made once a request is made each time. */
  readonly prepare: (accept: string) => () => string;
}

const types = ['text/html', 'application/json', 'application/problem+json', 'text/markdown'];

/** A context whose request has nothing but the header, so that no time goes into looking it up. */
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

/** Checks that all choose the same for each header. Throws an error that says who does not: its speed means nothing. */
export const checkAgreement = (contenders: readonly Negotiating[] = negotiators): void => {
  for (const { sender, value, chosen } of acceptHeaders) {
    for (const { name, prepare } of contenders) {
      const choice = prepare(value)();
      if (choice !== chosen) throw new Error(`${name} chooses ${choice} for ${sender} (${value}), not ${chosen}`);
    }
  }
};
