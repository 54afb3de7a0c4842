/** One item of the `errors` of a reply. */
export interface ErrorItem {
  readonly code: number;
  readonly message: string;
  readonly documentation_url?: string;
  /** `/` and the name of the invalid member or parameter. */
  readonly source?: { readonly pointer: string };
  readonly reason?: string;
  readonly retryable?: boolean;
  readonly hint?: string;
  readonly details?: unknown;
}

/** A reply that refuses a request, or that is not of the service. The message is that of the service, behind the invalid member. */
export class PackhouseError extends Error {
  override readonly name = 'PackhouseError';
  /** HTTP status. */
  readonly status: number;
  /** All reasons: the first is the failure, others are further invalid fields. Empty if the reply is not of the service. */
  readonly errors: readonly ErrorItem[];
  /** Explanations of tagging errors. */
  readonly messages: readonly string[];
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** The id for the operator's log. */
  readonly requestId: string | undefined;

  constructor(response: Response, text: string) {
    const { errors, messages } = itemsOf(text);
    const [first] = errors;
    const member = first?.source === undefined ? '' : `${first.source.pointer.slice(1)}: `;
    super(
      first === undefined
        ? `The reply with status ${response.status} is not one of the service.`
        : `${member}${first.message}`,
    );
    this.status = response.status;
    this.errors = errors;
    this.messages = messages;
    const seconds = response.headers.get('retry-after') ?? '';
    this.retryAfter = /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined;
    this.requestId = response.headers.get('x-ray-id') ?? response.headers.get('cf-ray') ?? undefined;
  }

  /** The number of the error, such as 10200. */
  get code(): number | undefined {
    return this.errors[0]?.code;
  }
  /** The case, such as `repo_not_found`. */
  get reason(): string | undefined {
    return this.errors[0]?.reason;
  }
  /** True if the request changed nothing and may succeed later as it is. */
  get retryable(): boolean {
    return this.errors[0]?.retryable === true;
  }
  /** Advice on the next step: one sentence. */
  get hint(): string | undefined {
    return this.errors[0]?.hint;
  }
  /** Data of the case, such as the current head after a stale update. */
  get details(): unknown {
    return this.errors[0]?.details;
  }
  get documentationUrl(): string | undefined {
    return this.errors[0]?.documentation_url;
  }
}

function itemsOf(text: string): { readonly errors: readonly ErrorItem[]; readonly messages: readonly string[] } {
  try {
    const envelope = JSON.parse(text) as { readonly errors?: unknown; readonly messages?: unknown } | null;
    const items = (list: unknown): readonly ErrorItem[] =>
      Array.isArray(list) ? list.filter((item) => typeof item?.message === 'string') : [];
    // Another implementation may have other sources.
    const errors = items(envelope?.errors).map(({ source, ...item }) =>
      typeof source?.pointer === 'string' ? { ...item, source } : item,
    );
    return { errors, messages: items(envelope?.messages).map(({ message }) => message) };
  } catch {
    return { errors: [], messages: [] };
  }
}
