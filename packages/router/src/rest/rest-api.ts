import { OpenAPIHono } from '@hono/zod-openapi';
import { HostingError, isAccountId, parseBearer, type Hosting, type RawFields } from '@packhouse/hosting';
import type { Log } from '../log/log.ts';
import { failureRecord } from '../log/scrub.ts';
import { readJsonBody } from './body.ts';
import { failureResponse, successResponse } from './envelope.ts';
import { allowedMethods, type Operation } from './operations.ts';
import { routeOperations } from './routes.ts';

export interface RestOptions {
  /** Told of unexpected failures. Default: nobody. */
  readonly log?: Log;
}

export interface RestApi {
  /** Answers every request under the base path. `requestId` (REPO-007) is for logs; the caller sets the header. */
  (request: Request, requestId: string): Promise<Response>;
  /** The OpenAPI 3.1 document. */
  readonly document: object;
}

type Environment = { Bindings: { readonly requestId: string } };

/** The REST face: areas of the control plane as `Request` to `Response`. */
export function restApi(hosting: Hosting, { log }: RestOptions = {}): RestApi {
  const app = new OpenAPIHono<Environment>();
  const routed = routeOperations(hosting);
  const fail = (error: unknown, requestId: string, headers?: Readonly<Record<string, string>>): Response => {
    if (error instanceof HostingError) return failureResponse(error, hosting, headers);
    log?.(failureRecord(error, requestId));
    return failureResponse(new HostingError('internal'), hosting);
  };

  for (const { operation, route } of routed) {
    // The route is registered for the document alone: its validator would check in another order (REPO-036).
    app.openAPIRegistry.registerPath(route);
    app.on(operation.method.toUpperCase(), route.getRoutingPath(), async (context) => {
      const account = context.req.param('account_id') as string;
      return run(hosting, operation, context.req.raw, { account, path: (name) => context.req.param(name) as string });
    });
  }
  for (const { operation, route } of routed) {
    app.all(route.getRoutingPath(), (context) => {
      if (!isAccountId(context.req.param('account_id') as string)) throw new HostingError('noRoute');
      const headers = { allow: allowedMethods(operation.path) };
      return fail(new HostingError('noMethod'), context.env.requestId, headers);
    });
  }
  app.notFound((context) => fail(new HostingError('noRoute'), context.env.requestId));
  app.onError((error, context) => fail(error, context.env.requestId));

  const answer = async (request: Request, requestId: string): Promise<Response> =>
    await app.fetch(request, { requestId });
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Repositories', version: hosting.dialect.basePath.split('/').at(-1) ?? '' },
    servers: [{ url: hosting.settings.public_url }],
  });
  document.components = {
    ...document.components,
    securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A platform API token' } },
  };
  return Object.assign(answer, { document });
}

/** The checks in their order (REPO-036); fields, state and work are the service's. */
async function run(
  hosting: Hosting,
  operation: Operation,
  request: Request,
  { account, path }: { readonly account: string; readonly path: (name: string) => string },
): Promise<Response> {
  if (!isAccountId(account)) throw new HostingError('noRoute');
  await hosting.authorize(parseBearer(request.headers.get('authorization')), account, operation.permission);
  hosting.admit(account, operation.path.includes('{namespace}') ? path('namespace') : undefined);
  const body = operation.body === undefined ? {} : await readJsonBody(request, hosting.settings.rest_body_max);
  const call = { account, path, query: firstValues(new URL(request.url).searchParams), body };
  return successResponse({ ...(await operation.run(hosting, call)), status: operation.status });
}

function firstValues(parameters: URLSearchParams): RawFields {
  const values: Record<string, string> = {};
  for (const [name, value] of parameters) if (!Object.hasOwn(values, name)) values[name] = value;
  return values;
}
