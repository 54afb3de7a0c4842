/** What came to a sink in one request. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  /** The body. */
  readonly text: string;
  /** The body as JSON; undefined if it is none. */
  // A case knows which shape it asked for, and asserts it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly event: any;
  /** What it was answered. */
  readonly status: number;
}

/** A webhook sink on this machine, to which a deployment sends its events. Other cases use it, too. */
export interface EventSink {
  /** What requests are signed with, newest first. */
  readonly secrets: readonly string[];
  /** What came about repos of a namespace, those of all accounts, in the order in which it came. */
  deliveries(namespace: string): readonly Delivery[];
  /** From now on, answers what comes about repos of a namespace. Default: 204. */
  answer(namespace: string, status: (delivery: Omit<Delivery, 'status'>) => number): void;
}
