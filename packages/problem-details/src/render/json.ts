import type { PlatformProblem } from '../problem/problem.ts';

/**
 * Renders the body of `application/json` and `application/problem+json`: one object without spaces, and a line feed
 * (ERR-034, NEG-010). Members keep the order of `problem` (ERR-035). An unpaired surrogate becomes a `\u` escape, since
 * UTF-8 cannot hold it.
 */
export const renderJson = (problem: PlatformProblem): string => `${JSON.stringify(problem)}\n`;
