import { isPlatformError, parseProblem, retryDelay } from '@packhouse/problem-details';

/** Fetches the URL in the header, and returns the client's interpretation of the reply. */
export async function handle(request: Request): Promise<Response> {
  const response = await fetch(request.headers.get('x-target') ?? '');
  const problem = await parseProblem(response);
  const retryAfter = response.headers.get('Retry-After');
  return Response.json({
    problem,
    isPlatformError: isPlatformError(problem),
    wait: retryDelay(problem, 1, { retryAfter, random: () => 0 }),
    left: (await response.text()).length,
  });
}
