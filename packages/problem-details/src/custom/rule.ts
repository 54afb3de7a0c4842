/** What a rule asks of one header of the request (ERR-102). Names ignore case. */
export type HeaderCondition =
  | {
      readonly name: string;
      /**
       * One matching line of several is enough. The platform's `Headers` hold the lines of a name joined by a comma and a
       * space, so that what stands between two of these counts as a line, too.
       */
      readonly op: 'contains' | 'equals' | 'starts_with';
      readonly value: string;
      /** Whether the value ignores case; default false. */
      readonly ignore_case?: boolean;
    }
  | { readonly name: string; readonly op: 'exists' | 'absent' };

/** `1xxx` are the codes 1000 to 1999, `5xx` those from 500 to 599. */
export type ErrorType = '1xxx' | '5xx';

/**
 * Which errors a rule is for (ERR-101): all members that are there must match. Lists have one item at least; one item
 * that matches is enough, but all of `headers` must. Without members: every error.
 */
export interface RuleCondition {
  readonly codes?: readonly number[];
  readonly error_types?: readonly ErrorType[];
  /** HTTP statuses of errors, before `status_code` changes them. */
  readonly statuses?: readonly number[];
  /** Host names as they stand in `zone`; a leading `*.` stands for one or more labels (ERR-103). */
  readonly hosts?: readonly string[];
  /** Compared with the decoded path; each begins with `/` (ERR-103). */
  readonly path_prefixes?: readonly string[];
  /** In upper case. */
  readonly methods?: readonly string[];
  readonly headers?: readonly HeaderCondition[];
}

/** What a condition sees of an error. */
export interface ErrorFacts {
  readonly code: number;
  readonly error_name: string;
  readonly error_category: string;
  readonly status: number;
  readonly ray_id: string;
  readonly zone: string;
}

/** A condition in code (ERR-112): matches if it gives `true`; if it throws or rejects, it does not. */
export type RuleFunction = (error: ErrorFacts, request: Request) => boolean | Promise<boolean>;

/** What a rule can send (ERR-105); each with `; charset=utf-8`. */
export type RuleContentType =
  | 'text/html'
  | 'text/plain'
  | 'application/json'
  | 'text/xml'
  | 'application/problem+json'
  | 'text/markdown';

interface AnyRule {
  /** 1 to 200 of letters, digits, `_` and `-`; no two rules have the same (ERR-157). */
  readonly id: string;
  readonly enabled: boolean;
  readonly when: RuleCondition | RuleFunction;
  readonly content_type: RuleContentType;
  /** 400 to 599; default that of the error (ERR-106). */
  readonly status_code?: number;
}

/** A Custom Error Rule (section 9): either with its content, or with the name of an asset. */
export type CustomErrorRule =
  | (AnyRule & {
      /** With tokens; at most 10,240 bytes of UTF-8 (ERR-155). */
      readonly content: string;
      readonly asset?: never;
    })
  | (AnyRule & { readonly asset: string; readonly content?: never });
