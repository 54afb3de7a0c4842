import type { Repos } from '@packhouse/binding';

interface Env {
  readonly HERE: Repos;
  readonly ELSEWHERE: Repos;
  readonly OTHER_ACCOUNT: Repos;
  readonly UNSERVED: Repos;
  readonly NAMELESS: Repos;
  readonly HALF: Repos;
}

/** Returns the properties of an error that a program sees. */
async function failureOf(call: Promise<unknown>): Promise<object> {
  try {
    await call;
    return {};
  } catch (error) {
    const { name, message, code, numericCode } = error as Partial<Record<string, unknown>>;
    return { isError: error instanceof Error, own: Object.keys(error as object), name, message, code, numericCode };
  }
}

/** Stubs answer before anybody knows what they are of. */
type Pipelined = Readonly<Record<'get', (name: string) => Readonly<Record<'info', () => Promise<object>>>>>;

/** Things to try beside the service, by their path. */
const checks: Readonly<Record<string, (env: Env) => Promise<unknown>>> = {
  async '/props'(env) {
    const namesOf = async (repos: Repos): Promise<readonly string[]> =>
      (await repos.list()).repos.map(({ name }) => name);
    for (const [name, repos] of Object.entries({ here: env.HERE, elsewhere: env.ELSEWHERE, other: env.OTHER_ACCOUNT }))
      await repos.create(name);
    return [await namesOf(env.HERE), await namesOf(env.ELSEWHERE), await namesOf(env.OTHER_ACCOUNT)];
  },
  '/wrong-props': async (env) => [
    await failureOf(env.UNSERVED.list()),
    await failureOf(env.NAMELESS.create('x')),
    await failureOf(env.HALF.create('x')),
  ],
  // More than a store takes as one value.
  '/long-name': async (env) => failureOf(env.HERE.get('x'.repeat(3_000_000))),
  '/failure': async (env) => failureOf(env.HERE.get('missing')),
  async '/using'(env) {
    await env.HERE.create('used');
    const kept: { repo?: Awaited<ReturnType<Repos['get']>> } = {};
    let id: string;
    {
      using repo = await env.HERE.get('used');
      kept.repo = repo;
      ({ id } = await repo.info());
    }
    const after = await failureOf(kept.repo.info());
    return { id, after };
  },
  async '/pipelined'(env) {
    await env.HERE.create('piped');
    return (env.HERE as unknown as Pipelined).get('piped').info();
  },
  async '/large'(env) {
    using repo = await env.HERE.get('large');
    const read = async (): Promise<number | undefined> => (await repo.readFile({ ref: 'main', path: 'large' }))?.size;
    return Promise.all([read(), read(), read()]);
  },
};

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const check = checks[new URL(request.url).pathname];
    return check === undefined ? new Response(null, { status: 404 }) : Response.json(await check(env));
  },
};
