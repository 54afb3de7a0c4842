import { describe, expect, it } from 'vitest';
import { ran, type Ran } from './in-process.ts';

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const repos = '/v4/accounts/local/repos/namespaces/default/repos';
const made = {
  name: 'hello',
  default_branch: 'trunk',
  remote: 'https://g.example/hello.git',
  token: 'rht_v1_0?expires=1',
};

/** Runs the command against a service with these replies to POST and GET. */
async function imported(
  args: readonly string[],
  post: Response,
  get = reply(200, made),
): Promise<Ran & { sent: Sent[] }> {
  const sent: Sent[] = [];
  const ended = await ran(['repo', 'import', ...args], {
    env: { PACKHOUSE_API_TOKEN: 'a-token' },
    async fetch(request) {
      const text = await request.text();
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      sent.push({ method: request.method, path: new URL(request.url).pathname, body });
      return request.method === 'POST' ? post : get;
    },
  });
  return { ...ended, sent };
}

function reply(status: number, result: unknown): Response {
  return Response.json({ result, success: true, errors: [], messages: [] }, { status });
}

function failure(status: number, code: number, message: string): Response {
  return Response.json({ result: null, success: false, errors: [{ code, message }], messages: [] }, { status });
}

describe('repo import', () => {
  it('REPO-125: sends all options, and uses the last name of the URL', async () => {
    const { code, out, sent } = await imported(
      [
        'https://git.example.org/team/hello.git/',
        '--branch',
        'trunk',
        '--depth',
        '3',
        '--description',
        'x',
        '--read-only',
      ],
      reply(201, made),
    );
    expect(sent).toEqual([
      {
        method: 'POST',
        path: `${repos}/hello/import`,
        body: {
          url: 'https://git.example.org/team/hello.git/',
          branch: 'trunk',
          depth: 3,
          description: 'x',
          read_only: true,
        },
      },
      { method: 'GET', path: `${repos}/hello`, body: undefined },
    ]);
    expect(out).toMatch(/^Made repo +hello\n[^]*It is read-only/);
    expect(out).not.toContain('still being imported');
    expect(code).toBe(0);
  });

  it('REPO-132: says that the import goes on', async () => {
    const busy = failure(409, 10302, 'Repository import in progress');
    const { code, out, sent } = await imported(['https://git.example.org/team/hello', 'hi'], reply(201, made), busy);
    expect(sent[0]).toMatchObject({ path: `${repos}/hi/import`, body: { url: 'https://git.example.org/team/hello' } });
    expect(out).toContain('It is still being imported: "packhouse repo list" shows when it is ready.');
    expect(code).toBe(0);
  });

  it('REPO-126 to REPO-129: reports what the remote did', async () => {
    const notThere = await imported(['https://h.example/x'], failure(404, 10200, 'Remote branch not found'));
    expect(notThere.err).toMatch(/^error: Remote branch not found\.\nhint: Nothing was made\./);
    const refused = await imported(
      ['https://10.0.0.1/x'],
      failure(400, 10104, 'url must be an HTTPS git remote URL (e.g. x)'),
    );
    expect(refused.err).toContain('import_allow');
    const away = await imported(
      ['https://h.example/x'],
      failure(502, 10401, 'The upstream service is unavailable. Please retry.'),
    );
    expect(away.err).toMatch(/^error: The upstream service is unavailable\. Please retry\.\nhint: The other host/);
    expect([notThere, refused, away].map(({ code }) => code)).toEqual([3, 3, 3]);
  });

  it('accepts only a number as depth, and no URL without a name', async () => {
    for (const depth of ['0', 'all', '1e3', '-1']) {
      const { err, sent } = await imported(['https://h.example/x', `--depth=${depth}`], reply(201, made));
      expect(err).toContain(`--depth cannot be "${depth}".`);
      expect(sent).toEqual([]);
    }
    expect((await imported(['https://h.example/'], reply(201, made))).err).toContain('The URL ends in no name.');
  });
});
