/**
 * Compatibility date that the service is tested with. It must not be before 2026-02-24: from that date on, `deleteAll`
 * also deletes alarms.
 */
export const compatibilityDate = '2026-07-01';

/** Flags that the Worker needs. With the second one, `fetch` does not bypass the security of any zone (REPO-129). */
export const compatibilityFlags: readonly string[] = ['nodejs_compat', 'global_fetch_strictly_public'];

/** The package that exports the Worker and its objects. */
const workersPackage = '@packhouse/workers';

/** Begins with the first release whose workerd supports the compatibility date. */
const wranglerRange = '^4.107.0';

/** Oldest release of Node that runs both the command and the newest wrangler of the range. */
const oldestNode = '22.13';

export interface DeploymentOptions {
  /** Name of the Worker, in lower-case letters, digits and hyphens. Its bucket is called `<name>-packs`. */
  readonly name: string;
  /** Origin that clients will use. */
  readonly publicUrl: string;
  /** The account to serve. */
  readonly account: string;
  readonly dialect: string;
  /** Release of `@packhouse/workers` to deploy. */
  readonly version: string;
}

/** Makes the files of a folder that `wrangler deploy` can deploy unchanged. Returns their texts by path. */
export function deploymentFiles(options: DeploymentOptions): Readonly<Record<string, string>> {
  return {
    'wrangler.jsonc': wranglerFile(options),
    'src/index.ts': `export { CatalogObject, default, RepoObject, ReposBinding } from '${workersPackage}';\n`,
    'package.json': packageFile(options),
    'README.md': readmeFile(options),
    '.gitignore': 'node_modules/\n.wrangler/\n.dev.vars\n',
  };
}

function wranglerFile({ name, publicUrl, account, dialect }: DeploymentOptions): string {
  return `{
  "$schema": "node_modules/wrangler/config-schema.json",
  "name": ${JSON.stringify(name)},
  "main": "src/index.ts",
  "compatibility_date": ${JSON.stringify(compatibilityDate)},
  "compatibility_flags": ${JSON.stringify(compatibilityFlags)},
  // A large push takes more than the 30 s of the default, and one to a repository of thousands of packs reads more than
  // 10,000 files. Needs the Workers Paid plan.
  "limits": { "cpu_ms": 300000, "subrequests": 1000000 },
  "durable_objects": {
    "bindings": [
      { "name": "CATALOGS", "class_name": "CatalogObject" },
      { "name": "REPOS", "class_name": "RepoObject" }
    ]
  },
  "migrations": [{ "tag": "v1", "new_sqlite_classes": ["CatalogObject", "RepoObject"] }],
  "r2_buckets": [
    { "binding": "PACKS", "bucket_name": ${JSON.stringify(`${name}-packs`)} }
    // Each further one lets namespaces be made in that jurisdiction. Make the bucket with the same jurisdiction.
    // , { "binding": "PACKS_EU", "bucket_name": ${JSON.stringify(`${name}-packs-eu`)}, "jurisdiction": "eu" }
    // , { "binding": "PACKS_US", "bucket_name": ${JSON.stringify(`${name}-packs-us`)}, "jurisdiction": "us" }
  ],
  "observability": { "enabled": true },
${routes(publicUrl)}  "vars": {
    // Every setting of the configuration file of the server may stand here, under the same name.
    "CONFIG": {
      "public_url": ${JSON.stringify(publicUrl)},
      "accounts": [${JSON.stringify(account)}],
      "dialect": ${JSON.stringify(dialect)}
    }
  }
}
`;
}

/** Returns the route of a custom domain. A name below workers.dev needs no route, since the platform assigns it. */
function routes(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  if (hostname.endsWith('.workers.dev')) return '';
  return `  // The zone of this name must be one of the account that deploys.
  "routes": [{ "pattern": ${JSON.stringify(hostname)}, "custom_domain": true }],
`;
}

function packageFile({ name, version }: DeploymentOptions): string {
  const file = {
    name,
    private: true,
    type: 'module',
    engines: { node: `>=${oldestNode}` },
    scripts: { deploy: 'wrangler deploy', logs: 'wrangler tail' },
    dependencies: { [workersPackage]: `^${version}` },
    devDependencies: { '@packhouse/cli': `^${version}`, wrangler: wranglerRange },
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function readmeFile({ name, publicUrl, account }: DeploymentOptions): string {
  return `# ${name}

Git repositories on Cloudflare Workers, served by Packhouse. Needs the Workers Paid plan, and Node ${oldestNode} or later on this machine.

\`\`\`sh
npm install
npx wrangler login
npx wrangler r2 bucket create ${name}-packs
npx wrangler secret put API_TOKEN    # at least 16 letters and digits; whoever has it may do everything
npm run deploy
\`\`\`

\`wrangler deploy\` prints where the Worker is. If that is not ${publicUrl}, write it into \`public_url\` in \`wrangler.jsonc\` and deploy again: replies name repositories by it.

Then:

\`\`\`sh
export PACKHOUSE_URL=${publicUrl}
export PACKHOUSE_API_TOKEN=...
npx @packhouse/cli repo create hello --account ${account}
\`\`\`

To try it on this machine first, write \`API_TOKEN=...\` into a file \`.dev.vars\`, set \`public_url\` to \`http://localhost:8787\`, and run \`npx wrangler dev\`.

Every request is one line of the log (\`npm run logs\`), with what it cost: \`r2_a\` and \`r2_b\` are operations on R2 of class A and B, \`object_calls\` requests to Durable Objects. A wrong setting is a line with the event \`configuration\`, and every reply is 500 until it is right.
`;
}
