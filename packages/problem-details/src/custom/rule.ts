/** Condition on one header of the request (ERR-102). Names are case-insensitive. */
export type HeaderCondition =
  | {
      readonly name: string;
      /**
       * One matching line of several is enough. `Headers` join the lines of a name with a comma and a space, so a text
       * between two of these also counts as a line.
       */
      readonly op: 'contains' | 'equals' | 'starts_with';
      readonly value: string;
      /** Ignores the case of the value; default false. */
      readonly ignore_case?: boolean;
    }
  | { readonly name: string; readonly op: 'exists' | 'absent' };

/** `1xxx` means codes 1000 to 1999, `5xx` codes 500 to 599. */
export type ErrorType = '1xxx' | '5xx';

/**
 * Selects the errors of a rule (ERR-101). All present members must match. A list has at least one item; one matching
 * item is enough, except that all of `headers` must match. Without members, every error matches.
 */
export interface RuleCondition {
  readonly codes?: readonly number[];
  readonly error_types?: readonly ErrorType[];
  /** HTTP statuses of errors, before `status_code` changes them. */
  readonly statuses?: readonly number[];
  /** Host names in the form of `zone`. A leading `*.` stands for one or more labels (ERR-103). */
  readonly hosts?: readonly string[];
  /** Prefixes of the decoded path; each begins with `/` (ERR-103). */
  readonly path_prefixes?: readonly string[];
  /** In upper case. */
  readonly methods?: readonly string[];
  readonly headers?: readonly HeaderCondition[];
}

/** Facts of an error that conditions can use. */
export interface ErrorFacts {
  readonly code: number;
  readonly error_name: string;
  readonly error_category: string;
  readonly status: number;
  readonly ray_id: string;
  readonly zone: string;
}

/** A condition in code (ERR-112). It matches if it returns or resolves to `true`, not if it throws or rejects. */
export type RuleFunction = (error: ErrorFacts, request: Request) => boolean | Promise<boolean>;

/** Content types of a rule (ERR-105); each is sent with `; charset=utf-8`. */
export type RuleContentType =
  | 'text/html'
  | 'text/plain'
  | 'application/json'
  | 'text/xml'
  | 'application/problem+json'
  | 'text/markdown';

interface AnyRule {
  /** Unique among the rules; 1 to 200 letters, digits, `_` and `-` (ERR-157). */
  readonly id: string;
  readonly enabled: boolean;
  readonly when: RuleCondition | RuleFunction;
  readonly content_type: RuleContentType;
  /** 400 to 599; default: the status of the error (ERR-106). */
  readonly status_code?: number;
}

/** A Custom Error Rule (section 9), with content or with the name of an asset. */
export type CustomErrorRule =
  | (AnyRule & {
      /** With tokens; at most 10,240 bytes of UTF-8 (ERR-155). */
      readonly content: string;
      readonly asset?: never;
    })
  | (AnyRule & { readonly asset: string; readonly content?: never });
