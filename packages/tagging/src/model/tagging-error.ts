export type TaggingErrorKind =
  | 'setPayload'
  | 'resourceMissing'
  | 'resourceType'
  | 'filterForm'
  | 'keyMissing'
  | 'tooManyFilters'
  | 'keyTooLong'
  | 'valueTooLong'
  | 'tooManyValues'
  | 'invalidKey'
  | 'deletePayload'
  | 'cursor'
  | 'parameter'
  | 'tooManyTags'
  | 'resourceNotFound'
  | 'noMatch';

/**
 * All errors of tagging (section 14 of `tagging.md`). A separate family, since codes 1002 to 1015 mean something else
 * in platform errors. Messages are exact; {@link TaggingError} fills in the braces.
 */
export const taggingErrors: Readonly<
  Record<TaggingErrorKind, { readonly code: number; readonly status: number; readonly message: string }>
> = {
  setPayload: { code: 1002, status: 400, message: 'Invalid set payload' },
  resourceMissing: { code: 1003, status: 400, message: 'resource_type and resource_id are required' },
  resourceType: { code: 1006, status: 400, message: 'Invalid resource type' },
  filterForm: { code: 1007, status: 400, message: 'tag parameter must be in format...' },
  keyMissing: { code: 1009, status: 400, message: 'tag_key is required' },
  tooManyFilters: { code: 1010, status: 400, message: 'too many tag filters (maximum 20)' },
  keyTooLong: { code: 1011, status: 400, message: 'tag key too long (maximum 256 characters)' },
  valueTooLong: { code: 1012, status: 400, message: 'tag value too long (maximum 1024 characters)' },
  tooManyValues: { code: 1013, status: 400, message: 'too many OR values in tag filter (maximum 10)' },
  invalidKey: { code: 1014, status: 400, message: 'Invalid tag key' },
  deletePayload: { code: 1015, status: 400, message: 'Invalid delete payload' },
  cursor: { code: 10100, status: 400, message: 'Invalid cursor' },
  parameter: { code: 10100, status: 400, message: 'Invalid query parameter: {name}' },
  tooManyTags: { code: 10110, status: 400, message: 'too many tags (maximum {maximum})' },
  resourceNotFound: { code: 10200, status: 404, message: 'resource not found: type={type} id={id}' },
  noMatch: { code: 10412, status: 412, message: 'etag does not match' },
};

export interface TaggingErrorOptions {
  /** Texts for the braces in the message. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** Overrides the status of the kind: `resourceNotFound` is 500 or 404 (TAG-055, TAG-056). */
  readonly status?: number;
  /** JSON Pointer into the body, or `/` and the name of a parameter (TAG-023). */
  readonly pointer?: string;
  /** Explains the fault, for the `messages` of the reply (TAG-025). */
  readonly detail?: string;
}

/** An expected failure of tagging, which the reply describes to the client. */
export class TaggingError extends Error {
  override readonly name = 'TaggingError';
  readonly kind: TaggingErrorKind;
  readonly code: number;
  /** HTTP status. */
  readonly status: number;
  readonly pointer: string | undefined;
  readonly detail: string | undefined;

  constructor(kind: TaggingErrorKind, options: TaggingErrorOptions = {}) {
    const { code, status, message } = taggingErrors[kind];
    super(message.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(options.values?.[name] ?? '')));
    this.kind = kind;
    this.code = code;
    this.status = options.status ?? status;
    this.pointer = options.pointer;
    this.detail = options.detail;
  }
}
