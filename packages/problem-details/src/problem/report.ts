import type { Responsible } from '../catalogue/entry.ts';
import type { PlatformProblem } from './problem.ts';

/** Words of the HTML page, in the language of the texts (ERR-147). */
export interface Labels {
  readonly what_happened: string;
  readonly what_you_can_do: string;
  readonly who_is_responsible: string;
  readonly visitor: string;
  readonly owner: string;
  readonly platform: string;
  /** State of the responsible party and of the others (ERR-064). */
  readonly at_fault: string;
  readonly not_at_fault: string;
  readonly facts: string;
  readonly error_code: string;
  readonly error_name: string;
  readonly ray_id: string;
  readonly time: string;
  readonly zone: string;
  /** Label of the number of seconds to wait, which may be 1. */
  readonly retry_after: string;
}

/** An error with everything that the formats show of it. */
export interface ErrorReport {
  readonly problem: PlatformProblem;
  /** Key of the marker member within `problem`. */
  readonly marker: string;
  readonly short_name: string;
  readonly responsible: Responsible;
  /** Language tag of the texts (ERR-149). */
  readonly language: string;
  readonly labels: Labels;
}
