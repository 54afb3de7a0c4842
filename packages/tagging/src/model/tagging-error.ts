import type { ErrorRow } from '@packhouse/base';

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
export const taggingErrors: Readonly<Record<TaggingErrorKind, ErrorRow>> = {
  setPayload: {
    code: 1002,
    status: 400,
    message: 'Invalid set payload',
    reason: 'invalid_set_payload',
    hint: 'Send a JSON object with the texts `resource_type` and `resource_id`, the id of the parent where the type has one, and `tags`, an object of texts.',
  },
  resourceMissing: {
    code: 1003,
    status: 400,
    message: 'resource_type and resource_id are required',
    reason: 'resource_required',
    hint: 'Send the parameters `resource_type` and `resource_id`, each once and not empty.',
  },
  resourceType: {
    code: 1006,
    status: 400,
    message: 'Invalid resource type',
    reason: 'invalid_resource_type',
    hint: 'Check how the type is spelt, and that it belongs to accounts or to zones, as the address does.',
  },
  filterForm: {
    code: 1007,
    status: 400,
    message: 'tag parameter must be in format...',
    reason: 'invalid_tag_filter',
    hint: 'Write the filter that `messages` names as `key`, `!key`, `key=value`, `key=one,other` or `key!=value`, percent-encoded.',
  },
  keyMissing: {
    code: 1009,
    status: 400,
    message: 'tag_key is required',
    reason: 'tag_key_required',
    hint: 'Put the key at the end of the address.',
  },
  tooManyFilters: {
    code: 1010,
    status: 400,
    message: 'too many tag filters (maximum 20)',
    reason: 'too_many_tag_filters',
    hint: 'Send at most 20 parameters `tag`.',
  },
  keyTooLong: {
    code: 1011,
    status: 400,
    message: 'tag key too long (maximum 256 characters)',
    reason: 'tag_key_too_long',
    hint: 'Choose a shorter key.',
  },
  valueTooLong: {
    code: 1012,
    status: 400,
    message: 'tag value too long (maximum 1024 characters)',
    reason: 'tag_value_too_long',
    hint: 'Choose a shorter value.',
  },
  tooManyValues: {
    code: 1013,
    status: 400,
    message: 'too many OR values in tag filter (maximum 10)',
    reason: 'too_many_filter_values',
    hint: 'List at most 10 values in one filter.',
  },
  invalidKey: {
    code: 1014,
    status: 400,
    message: 'Invalid tag key',
    reason: 'invalid_tag_key',
    hint: 'Write keys with letters, digits, `_`, `.` and `-` alone, and at least one of them.',
  },
  deletePayload: {
    code: 1015,
    status: 400,
    message: 'Invalid delete payload',
    reason: 'invalid_delete_payload',
    hint: 'Send a JSON object with the texts `resource_type` and `resource_id`, and the id of the parent where the type has one.',
  },
  cursor: {
    code: 10100,
    status: 400,
    message: 'Invalid cursor',
    reason: 'invalid_cursor',
    hint: 'Send the cursor with the same filters that it came with, or begin again without one.',
  },
  parameter: {
    code: 10100,
    status: 400,
    message: 'Invalid query parameter: {name}',
    reason: 'invalid_parameter',
    hint: 'Correct the parameter that the message names.',
  },
  tooManyTags: {
    code: 10110,
    status: 400,
    message: 'too many tags (maximum {maximum})',
    reason: 'too_many_tags',
    hint: 'Remove tags that are not needed, or ask the operator for a higher limit.',
  },
  resourceNotFound: {
    code: 10200,
    status: 404,
    message: 'resource not found: type={type} id={id}',
    reason: 'resource_not_found',
    hint: 'Check the type and the id of the resource, and that its tags have been set before.',
  },
  noMatch: {
    code: 10412,
    status: 412,
    message: 'etag does not match',
    reason: 'etag_mismatch',
    hint: 'Read the tags again, and send the change with the new `etag`.',
  },
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
