/**
 * Sends the requests of `conformance/exchanges/{rest,tags,errors}/*.neutral.json` to a service in memory, and writes its
 * replies in both dialects. Run: `node packages/cli/scripts/record-exchanges.ts`. To add an exchange, write its request
 * in the file of the neutral dialect, with any reply.
 */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { filled, type Values } from '@packhouse/conformance/tools/placeholders';
import { replyOf } from '@packhouse/conformance/tools/reply-of';
import {
  sampleBody,
  sampleFile,
  sampleRequest,
  type SampleArea,
  type SampleExchange,
  type SampleExchanges,
  type SampleReply,
} from '@packhouse/conformance/tools/sample-exchanges';
import { inMemory } from '../test/conformance/support/memory.ts';
import { makeTenants } from '../test/conformance/support/tenants.ts';

type RestReply = ReturnType<typeof replyOf>;

const areas: readonly SampleArea[] = ['rest', 'tags', 'errors'];
const dialects = ['neutral', 'cloudflare'] as const;
const tenants = makeTenants();

/** Headers that say something about the reply. */
const told = ['content-type', 'allow', 'cache-control', 'etag', 'retry-after', 'vary', 'www-authenticate'];

/** The base path of the account, by dialect. */
const bases = { neutral: '/v4/accounts/{{account}}/repos', cloudflare: '/client/v4/accounts/{{account}}/artifacts' };

function inDialect(path: string, dialect: (typeof dialects)[number]): string {
  return path.replace(bases.neutral, bases[dialect]).replace(/^\/v4\//, dialect === 'neutral' ? '/v4/' : '/client/v4/');
}

/** Texts that differ from run to run, by the member that holds them. */
const varying: Readonly<Record<string, { readonly kind: string; readonly isNamed?: boolean }>> = {
  id: { kind: 'id', isNamed: true },
  token: { kind: 'token', isNamed: true },
  plaintext: { kind: 'token', isNamed: true },
  remote: { kind: 'remote', isNamed: true },
  cursor: { kind: 'cursor', isNamed: true },
  after: { kind: 'cursor', isNamed: true },
  hint: { kind: 'text' },
  ray_id: { kind: 'ray' },
  instance: { kind: 'ray' },
  size: { kind: 'number' },
  object_count: { kind: 'number' },
};
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Puts placeholders in place of values that differ from run to run. */
class Masks {
  readonly #values: Values;
  readonly #counts = new Map<string, number>();

  constructor(values: Values) {
    this.#values = values;
  }

  body(value: unknown, member = ''): unknown {
    if (Array.isArray(value)) return value.map((one) => this.body(one, member));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.text(name), this.body(one, name)]));
    if (typeof value === 'number') return varying[member]?.kind === 'number' ? '{{number}}' : value;
    return typeof value === 'string' ? this.member(value, member) : value;
  }

  member(value: string, member: string): string {
    if (time.test(value)) return '{{time}}';
    const rule = varying[member];
    const [same] = [...this.#values].find(([, one]) => one === value) ?? [];
    if (same !== undefined) return `{{${same}}}`;
    const known = this.text(value);
    if (value === '' || (known !== value && (rule === undefined || known.startsWith('{{')))) return known;
    if (rule === undefined || (member === 'id' && !/^[0-9a-z]{16}$/.test(value))) return value;
    if (rule.isNamed !== true) return `{{${rule.kind}}}`;
    const count = (this.#counts.get(rule.kind) ?? 0) + 1;
    this.#counts.set(rule.kind, count);
    this.#values.set(`${rule.kind} ${count}`, value);
    return `{{${rule.kind} ${count}}}`;
  }

  /** Replaces known values, and addresses of documents, which are a setting. */
  text(value: string): string {
    let text = value.replace(/^https?:\/\/[^ ]+?(?=\/(?:repos\/)?errors[/#]\d+$)/, '{{docs}}');
    // Names of one letter, such as an account `a`, would be found everywhere.
    for (const [key, known] of this.#values) if (known.length > 4) text = text.replaceAll(known, `{{${key}}}`);
    return text;
  }
}

function replyIn(reply: RestReply, masks: Masks, ray: string, contains: SampleReply['contains']): SampleReply {
  const headers = Object.fromEntries(
    told.flatMap((name) => {
      const value = reply.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  // The part behind the hyphen names a place.
  const [rayId = ''] = (reply.headers.get(ray) ?? '').split('-');
  const plain = (text: string): string =>
    text.replaceAll(rayId === '' ? '\0' : rayId, '{{ray}}').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '{{time}}');
  const isPage = reply.headers.get('content-type')?.startsWith('text/html') === true;
  if (isPage) return { status: reply.status, headers, contains: contains ?? ['<!doctype html>'] };
  const body = reply.json === undefined ? sampleBody({ ...reply, text: plain(reply.text) }) : sampleBody(reply);
  return { status: reply.status, headers, ...(body === undefined ? {} : { body: masks.body(body) }) };
}

for (const dialect of dialects) {
  const { origin, stop } = await inMemory({ dialect, tenants, settings: {} });
  const ray = { neutral: 'x-ray-id', cloudflare: 'cf-ray' }[dialect];
  for (const area of areas) {
    const folder = new URL('.', sampleFile(area, 'x', 'neutral'));
    for (const file of readdirSync(folder)
      .filter((name) => name.endsWith('.neutral.json'))
      .sort()) {
      const name = file.replace('.neutral.json', '');
      const source = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as SampleExchanges;
      const random = crypto.randomUUID().slice(0, 8);
      const values: Values = new Map([
        ['name namespace', `ns-${random}`],
        ['name resource', `first-${random}`],
        ['name other resource', `second-${random}`],
        ...(area === 'errors' ? [['zone', new URL(origin).hostname] as const] : []),
        ['token api', tenants.apiToken],
        ['token read', tenants.readToken],
      ]);
      const masks = new Masks(values);
      const all = new Map([...values, ['account', 'local']]);
      const commits: string[] = [];
      const exchanges: SampleExchange[] = [];
      for (const { request, reply: before } of source.exchanges) {
        // Commits have fixed times, so that their ids can stay in the file.
        const ids = new Map(commits.map((id, at) => [`hash ${at + 1}`, id]));
        const literal = JSON.parse(filled(JSON.stringify(request), ids)) as SampleExchange['request'];
        const own = { ...literal, path: inDialect(literal.path, dialect) };
        const sendable = new Map([...values, ...all]);
        const { path, ...init } = sampleRequest({ request: own, reply: before }, sendable);
        const response = await fetch(origin + path, init);
        const reply = replyOf(response, await response.text());
        if (typeof reply.json?.result?.commit === 'string') commits.push(reply.json.result.commit as string);
        exchanges.push({ request: own, reply: replyIn(reply, masks, ray, before.contains) });
      }
      const text = JSON.stringify({ title: source.title, exchanges }, null, 1);
      writeFileSync(sampleFile(area, name, dialect), `${text}\n`);
    }
  }
  await stop();
}
