import type { PlatformProblem } from '../problem/problem.ts';

/**
 * The body of `application/json` and `application/problem+json`: one object without spaces and one line feed (ERR-034,
 * NEG-010). The members stand in the order in which `problem` holds them (ERR-035). A lone surrogate becomes a `\u`
 * escape, so that UTF-8 holds every text.
 */
export const renderJson = (problem: PlatformProblem): string => `${JSON.stringify(problem)}\n`;
