import type { MediaType } from '@packhouse/problem-details';

/** An `Accept` header that clients send, and what it asks for. */
export interface AcceptHeader {
  /** The client that sends it. */
  readonly sender: string;
  readonly value: string;
  /**
   * The format that every contender chooses for it, of the four formats of an error; HTML if the client accepts any.
   */
  readonly chosen: MediaType;
}

/** Headers that browsers, libraries and agents really send. */
export const acceptHeaders: readonly AcceptHeader[] = [
  { sender: 'curl', value: '*/*', chosen: 'text/html' },
  { sender: 'axios', value: 'application/json, text/plain, */*', chosen: 'application/json' },
  { sender: 'a client of an API', value: 'application/json', chosen: 'application/json' },
  {
    sender: 'a client of RFC 9457',
    value: 'application/problem+json, application/json;q=0.9',
    chosen: 'application/problem+json',
  },
  {
    sender: 'Chrome, a page',
    value:
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,' +
      'application/signed-exchange;v=b3;q=0.7',
    chosen: 'text/html',
  },
  {
    sender: 'Chrome, an image',
    value: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
    chosen: 'text/html',
  },
  {
    sender: 'Firefox, a page',
    value: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    chosen: 'text/html',
  },
  { sender: 'Java', value: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', chosen: 'text/html' },
  { sender: 'an agent', value: 'text/markdown, text/html, */*', chosen: 'text/markdown' },
  {
    sender: 'an agent with weights',
    value: 'text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1',
    chosen: 'text/markdown',
  },
];
