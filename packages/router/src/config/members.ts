import { accountIdForm, type SettingRule, type Member, type ValueType } from '@packhouse/base';
import { serviceRules } from '../settings/service-settings.ts';
import { bindingMembers } from '@packhouse/hosting';
import { apiPermissions, tagPermissions } from './permissions.ts';

/** Bytes of prepared packs by default (LIM-071). */
export const preparedMaxDefault: number = 2 * 1024 ** 3;

/** Bytes of the cache of packs on disk by default (REPO-329). */
export const packCacheMaxDefault: number = 10 * 1024 ** 3;

/** The id of an account or a zone. */
const id: ValueType = { kind: 'string', form: accountIdForm, says: '1 to 64 letters, digits, "_" or "-"' };

const tokenMembers: Readonly<Record<string, Member>> = {
  token: {
    type: {
      kind: 'string',
      form: '[A-Za-z0-9._~+/-]{16,512}=*',
      says: 'at least 16 letters, digits or any of ._~+/-',
      secret: true,
    },
    description: 'The token itself. Prefer token_sha256.',
  },
  token_sha256: {
    type: { kind: 'string', form: '[0-9a-f]{64}', says: '64 lower-case hexadecimal digits', secret: true },
    description: 'SHA-256 of the token, so that the file holds no secret.',
  },
};

const apiToken: ValueType = {
  kind: 'object',
  members: {
    ...tokenMembers,
    account: { type: id, description: 'The account that the token is for.' },
    zone: { type: id, description: 'In place of account: the zone whose tags the token is for (TAG-018).' },
    permissions: {
      type: {
        kind: 'list',
        of: { kind: 'one of', values: apiPermissions },
        min: 1,
        says: `a list of at least one of ${apiPermissions.map((one) => `"${one}"`).join(', ')}`,
      },
      description:
        'What it allows: read and edit repos (REPO-030), tag.read and tag.write tags (TAG-017). edit includes read, tag.write includes tag.read.',
      required: true,
    },
  },
  exactlyOne: [
    ['token', 'token_sha256'],
    ['account', 'zone'],
  ],
  narrowed: {
    where: 'zone',
    member: 'permissions',
    type: {
      kind: 'list',
      of: { kind: 'one of', values: tagPermissions, says: 'one of "tag.read", "tag.write" for a zone' },
    },
  },
};

/** Members that configure the server itself. */
const host: Readonly<Record<string, Member>> = {
  dialect: {
    type: { kind: 'one of', values: ['neutral', 'cloudflare'] },
    description: 'The set of wire constants of the deployment (REPO-001).',
    default: 'neutral',
  },
  database: {
    type: {
      kind: 'string',
      form: 'postgres(?:ql)?://\\S{1,2000}',
      says: 'postgres://USER:PASSWORD@HOST/NAME',
      secret: true,
    },
    description:
      'PostgreSQL for everything but packs, so that several servers can serve it (REPO-336); prefer DATABASE_URL in the environment for a password. Default: the data folder keeps everything. For a server on Node, Deno or Bun.',
  },
  packs: {
    type: { kind: 'string', form: '.{1,4000}', says: 's3://BUCKET/PREFIX, or a folder' },
    description:
      'Where packs are if there is a database: s3://BUCKET/PREFIX, or the absolute path of a folder that all servers mount. The variables of AWS in the environment say how to reach the bucket.',
  },
  api_tokens: {
    type: { kind: 'list', of: apiToken },
    description: 'Further API tokens, beside the one that the server keeps.',
    default: [],
  },
  metrics: {
    type: { kind: 'object', members: tokenMembers, exactlyOne: [['token', 'token_sha256']] },
    description:
      'The token that reads /metrics, which is there with this member alone (REPO-340). For a server on Node, Deno or Bun.',
  },
  shutdown_grace: {
    type: { kind: 'integer', min: 0, max: 3600 },
    description: 'Seconds that requests may still run after the server was told to stop.',
    default: 30,
  },
  body_idle_timeout: {
    type: { kind: 'integer', min: 1, max: 3600 },
    description: 'Seconds that the body of a request may send nothing before it is refused (LIM-020).',
    default: 60,
  },
  connections_max: {
    type: { kind: 'integer', min: 1, max: 1_000_000 },
    description:
      'Most connections of clients at a time (LIM-021). Default: the descriptors that the process may open but 512, at least a quarter of them, at most 10000.',
  },
  memory_max: {
    type: { kind: 'integer', min: 192 * 1_048_576, max: 1024 ** 4 },
    description:
      'Memory that a server on Node, Deno or Bun may take, in bytes (LIM-080). Default: half of the memory of the machine or three quarters of that of its control group, at most 4 GiB.',
  },
  cache_max: {
    type: { kind: 'integer', min: 4 * 1_048_576, max: 1024 ** 4 },
    description:
      'Memory of the caches of graphs, indexes and objects in bytes, a part of memory_max: at most half of what the runtime leaves of it. Default: an eighth of that, at most 512 MiB. For a server on Node, Deno or Bun.',
  },
  prepared_max: {
    type: { kind: 'integer', min: 0, max: 1024 ** 4 },
    description:
      'Most bytes of packs that are stored to answer clones again (LIM-071): of one server, and a quarter of them of one repository. On Workers the latter alone counts. 0: none.',
    default: preparedMaxDefault,
  },
  pack_cache_max: {
    type: { kind: 'integer', min: 64 * 1_048_576, max: 1024 ** 5 },
    description:
      'Most bytes of the cache on disk of a server whose packs are in a bucket (REPO-329). For a server on Node, Deno or Bun.',
    default: packCacheMaxDefault,
  },
  ...bindingMembers,
};

/** Every setting of the service under its name in the specification, checked by the rule of the service. */
const settings: Readonly<Record<string, Member>> = Object.fromEntries(
  Object.entries<SettingRule>(serviceRules).map(([name, rule]): [string, Member] => [
    name,
    {
      type: { kind: 'rule', rule },
      description: rule.text,
      ...(rule.default === undefined ? {} : { default: rule.default }),
    },
  ]),
);

/** The type of the whole configuration file. */
export const configType: Extract<ValueType, { kind: 'object' }> = { kind: 'object', members: { ...host, ...settings } };
