/** One request to a sink. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  /** The body. */
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  // A case knows which shape it asked for, and asserts it.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly event: any;
  /** The status of the sink's reply. */
  readonly status: number;
}

/** A webhook sink on this machine, to which a deployment sends its events. Cases share it. */
export interface EventSink {
  /** The address that it listens at, such as `http://127.0.0.1:4000`. A delivery to any path counts. */
  readonly origin: string;
  /** The signing secrets, newest first. */
  readonly secrets: readonly string[];
  /** Returns the deliveries about repos of a namespace, for all accounts, in order of arrival. */
  deliveries(namespace: string): readonly Delivery[];
  /** Sets the reply to later deliveries about repos of a namespace. Default: 204. */
  answer(namespace: string, status: (delivery: Omit<Delivery, 'status'>) => number): void;
}
