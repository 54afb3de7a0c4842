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
 * The errors of tagging (section 14 of `tagging.md`). The numbers 1002 to 1015 mean other things among platform errors,
 * so this is a family of its own. Messages are exact; in braces what {@link TaggingError} fills in.
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
  /** What stands in the braces of the message. */
  readonly values?: Readonly<Record<string, string | number>>;
  /** In place of the status of the kind: `resourceNotFound` is 500 or 404 (TAG-055, TAG-056). */
  readonly status?: number;
  /** JSON Pointer into the body, or `/` and the name of a parameter (TAG-023). */
  readonly pointer?: string;
  /** What is wrong and where, for the `messages` of the reply (TAG-025). */
  readonly detail?: string;
}

/** A failure of tagging that the client is told about. */
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
