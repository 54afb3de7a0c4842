import { OpenAPIHono, createRoute, z } from '@hono/zod-openapi';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type OwnEntry, builtInEntries, cloudflare, createPlatformErrors } from '@packhouse/problem-details';
import {
  type PlatformErrorResponse,
  platformErrorResponses,
  platformProblemSchema,
} from '@packhouse/problem-details/openapi';

const outOfStock: OwnEntry = {
  code: 2001,
  short_name: 'Out of stock',
  http_status: 429,
  category: 'x_shop',
  error_name: 'out_of_stock',
  retryable: true,
  retry_after: 600,
  owner_action_required: false,
  responsible: 'visitor',
  detail: 'More was ordered than the shop has, and the visitor may order less.',
  what_you_should_do: '**Wait and retry.** Order less, or come back later.',
};
const errors = createPlatformErrors({
  dialect: cloudflare,
  ownCodes: [outOfStock],
  ownCategories: ['x_shop'],
});

const info = { openapi: '3.1.0', info: { title: 'Shop', version: '1' } };

function shop(): OpenAPIHono {
  const app = new OpenAPIHono();
  app.openAPIRegistry.registerComponent('schemas', 'PlatformProblem', platformProblemSchema([1020], errors));
  const route = createRoute({
    method: 'get',
    path: '/orders',
    responses: {
      200: { description: 'Orders', content: { 'application/json': { schema: z.object({ count: z.number() }) } } },
      ...platformErrorResponses([1015, 500, 2001, 1015], { ...errors, html: true }),
      ...platformErrorResponses([1020], { ...errors, schema: { $ref: '#/components/schemas/PlatformProblem' } }),
    },
  });
  app.openapi(route, (context) => context.json({ count: 7 }, 200));
  // @ts-expect-error The type of a route's own replies is still checked.
  app.openapi(route, (context) => context.json({ count: 'seven' }, 200));
  return app;
}

type Responses = Record<string, PlatformErrorResponse>;

/** The parts of a document that the tests read. */
interface Document {
  paths: Record<string, { get: { responses: Responses } }>;
}

const parsed = (document: object): Document & Record<string, unknown> =>
  JSON.parse(JSON.stringify(document)) as Document & Record<string, unknown>;

describe('platformErrorResponses with @hono/zod-openapi', () => {
  it.each([
    ['3.0', shop().getOpenAPIDocument({ ...info, openapi: '3.0.3' })],
    ['3.1', shop().getOpenAPI31Document(info)],
  ])('makes a document that is valid by the schema of OpenAPI %s', async (version, document) => {
    const validator = new Validator();
    const result = await validator.validate(parsed(document));
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe(version);
  });

  it('merges the codes of a status, in all formats, with the headers', () => {
    const { responses } = parsed(shop().getOpenAPI31Document(info)).paths['/orders']?.get ?? {};
    expect(Object.keys(responses ?? {})).toEqual(['200', '403', '429', '500']);
    const tooMany = responses?.['429'];
    expect(tooMany?.description).toMatch(/^Error 1015: .+\n\nError 2001: Out of stock\. More was ordered/);
    expect(Object.keys(tooMany?.content ?? {})).toEqual([
      'application/json',
      'application/problem+json',
      'text/markdown',
      'text/html',
    ]);
    const ofJson = tooMany?.content['application/json'];
    expect(ofJson).toEqual(tooMany?.content['application/problem+json']);
    expect(Object.keys(ofJson?.examples ?? {})).toEqual(['rate_limited', 'out_of_stock']);
    expect(ofJson?.schema).toMatchObject({ properties: { error_code: { enum: [1015, 2001] } } });
    expect(tooMany?.headers['cf-ray']?.required).toBe(true);
    expect(tooMany?.headers['Retry-After']?.required).toBe(true);
    expect(responses?.['403']?.headers).not.toHaveProperty('Retry-After');
    expect(responses?.['403']?.content['application/json']?.schema).toEqual({
      $ref: '#/components/schemas/PlatformProblem',
    });
  });

  it('does not document HTML by default', () => {
    const responses: Responses = { ...platformErrorResponses([500]) };
    expect(responses['500']?.content).not.toHaveProperty('text/html');
  });

  it('refuses an unknown code by name', () => {
    expect(() => platformErrorResponses([1015, 2001])).toThrow(
      new RangeError('code 2001 is not in the catalogue: register it as an own code'),
    );
    expect(() => platformProblemSchema([7], errors)).toThrow('code 7');
  });

  it('hides its keys from the types of a route', () => {
    expectTypeOf<keyof ReturnType<typeof platformErrorResponses>>().toEqualTypeOf<never>();
  });
});

describe('the documented schema', () => {
  const codes = [...builtInEntries.map(({ code }) => code), outOfStock.code];
  const schemaOf = (some: number[]): z.ZodType =>
    z.fromJSONSchema(platformProblemSchema(some, errors) as Parameters<typeof z.fromJSONSchema>[0]);
  const reply = async (code: number): Promise<{ response: Response; responses: Responses }> => {
    const request = new Request('https://shop.example/', { headers: { Accept: 'application/problem+json' } });
    return {
      response: await errors.respond(request, { code, extensions: code === 2001 ? { x_left: 3 } : {} }),
      responses: { ...platformErrorResponses([code], errors) },
    };
  };

  it.each(codes)('ERR-036 to ERR-052, ERR-142: accepts only the reply of code %i', async (code) => {
    const { response, responses } = await reply(code);
    const documented = responses[String(response.status)];
    const schema = schemaOf([code]);
    const body: unknown = await response.json();
    expect(schema.safeParse(body).error).toBeUndefined();
    const other = schemaOf([code === 500 ? 502 : 500]);
    expect(other.safeParse(body).success).toBe(false);
    for (const [name, { required }] of Object.entries(documented?.headers ?? {})) {
      expect(response.headers.has(name), name).toBe(required);
    }
    expect(response.headers.has('Retry-After')).toBe(documented?.headers['Retry-After'] !== undefined);
    const mediaType = response.headers.get('Content-Type')?.split(';')[0];
    expect(Object.keys(documented?.content ?? {})).toContain(mediaType);
  });

  it('ERR-036 to ERR-052: rejects a reply with a missing member, or one of the wrong type', async () => {
    const { response } = await reply(1015);
    const schema = schemaOf([1015]);
    const body = (await response.json()) as Record<string, unknown>;
    for (const name of Object.keys(body)) {
      const { [name]: _, ...less } = body;
      expect(schema.safeParse(less).success, `without ${name}`).toBe(false);
      expect(schema.safeParse({ ...body, [name]: null }).success, `${name} null`).toBe(false);
    }
    expect(schema.safeParse({ ...body, more: 1 }).success).toBe(true);
  });

  it('allows retry_after to be absent if one of the errors is not retryable', async () => {
    const schema = schemaOf([1015, 1027]);
    const responses: Responses = { ...platformErrorResponses([1015, 1027], errors) };
    expect(responses['429']?.headers['Retry-After']?.required).toBe(false);
    for (const code of [1015, 1027]) {
      const { response } = await reply(code);
      expect(schema.safeParse(await response.json()).error).toBeUndefined();
    }
  });

  it('accepts its own examples', () => {
    for (const code of codes) {
      const [response] = Object.values<PlatformErrorResponse>({ ...platformErrorResponses([code], errors) });
      const schema = schemaOf([code]);
      const examples = Object.values(response?.content['application/json']?.examples ?? {});
      expect(examples).toHaveLength(1);
      for (const { value } of examples) expect(schema.safeParse(value).error).toBeUndefined();
    }
  });
});
