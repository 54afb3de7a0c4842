import { escapeHtml } from './docs-html.ts';
import { sampleOf, schemaWords, type DocumentedSchema, type NamedSchemas } from './docs-schema.ts';

/** One operation of the OpenAPI document. */
export interface DocumentedOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  /** Headings of the operation. Only the first is used. */
  readonly tags?: readonly string[];
  /** Ways to send a credential; empty if the operation needs no credential. */
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly example?: unknown;
    readonly schema?: DocumentedSchema;
  }[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
}

interface Content {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: DocumentedSchema }>>;
}

/** Values of parameters and members in examples, by name. */
const names: Readonly<Record<string, unknown>> = {
  account_id: 'local',
  zone_id: 'z9',
  tag_key: 'environment',
  namespace: 'default',
  repo_name: 'notes',
  repo: 'notes',
  name: 'notes',
  token_id: 't5m1x8q0a2v7k4nd',
  token: 'rht_v1_5f0c9a...e1?expires=1795252502',
  plaintext: 'rht_v1_5f0c9a...e1?expires=1795252502',
  remote: 'https://git.example/git/local/default/notes.git',
  jurisdiction: 'unrestricted',
  default_branch: 'main',
  hash: '8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc',
  ref: 'main',
  ref_name: 'heads/main',
  archive: 'main.tar.gz',
  path: 'plan.md',
};

/** Renders one operation as HTML: its parameters, the members of its body, and an example with `curl`. */
export function operationSection(
  { method, path, origin }: { readonly method: string; readonly path: string; readonly origin: string },
  operation: DocumentedOperation,
  schemas: NamedSchemas,
): string {
  const { operationId = '', summary = '', description = '', parameters = [] } = operation;
  const body = schemaOf(operation.requestBody);
  const rows = [
    ...parameters.map(({ name, in: place, required = false, schema = {}, description: meaning }) =>
      row(name, place, required, { ...schema, ...(meaning !== undefined && { description: meaning }) }),
    ),
    ...bodyRows(body ?? {}),
  ];
  return `<section id="${escapeHtml(operationId)}"><h3>${escapeHtml(summary)}</h3>
<p><code><b>${method.toUpperCase()}</b> ${escapeHtml(path)}</code></p>${description === '' ? '' : `\n<p>${escapeHtml(description)}</p>`}
<table><tr><th>name</th><th>in</th><th></th><th>value</th></tr>
${rows.join('\n')}
</table>
${failureLines(operation)}<pre>${escapeHtml(exchange({ method, path, origin }, operation, schemas))}</pre></section>`;
}

/** Renders the members of a body, and those of objects in it: `author.name`, `changes[].path`. */
function bodyRows({ properties = {}, required = [] }: DocumentedSchema, prefix = ''): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = `${prefix}${name}`;
    const objects = schema.oneOf ?? [schema];
    const members =
      schema.items === undefined
        ? objects.flatMap((one) => bodyRows(one, `${path}.`))
        : bodyRows(schema.items, `${path}[].`);
    return [row(path, 'body', required.includes(name), schema), ...members];
  });
}

function row(name: string, place: string, required: boolean, schema: DocumentedSchema): string {
  const { description = '' } = schema;
  const words = [...(description === '' ? [] : [`${description}: `]), schemaWords(schema)].map(escapeHtml).join('');
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}</td><td>${required ? 'required' : ''}</td><td>${words}</td></tr>`;
}

/** Renders the errors that the document lists for the operation, by status. */
function failureLines({ responses = {} }: DocumentedOperation): string {
  const rows = Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .map(
      ([status, { description = '' }]) =>
        `<tr><td>${escapeHtml(status)}</td><td>${escapeHtml(description).replaceAll('; ', '<br>')}</td></tr>`,
    );
  if (rows.length === 0) return '';
  return `<details><summary>Errors</summary><table>${rows.join('')}</table></details>\n`;
}

/** Returns an example: a command line with `curl`, and the reply. */
function exchange(
  { method, path, origin }: { readonly method: string; readonly path: string; readonly origin: string },
  { parameters = [], requestBody, responses = {}, security }: DocumentedOperation,
  schemas: NamedSchemas,
): string {
  const exampleOf = (name: string): unknown => parameters.find((one) => one.name === name)?.example;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => String(exampleOf(name) ?? names[name] ?? name));
  const query = parameters
    .filter((one) => one.in === 'query' && (one.required === true || one.example !== undefined))
    .flatMap(({ name, example, schema = {} }) =>
      [example ?? sampleOf(schema, schemas, names, name)].flat().map((value) => `${name}=${String(value)}`),
    );
  const address = `${origin}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  // Quote the address if it has characters that a shell would interpret.
  const quoted = /[&?!]/.test(address) ? `'${address}'` : address;
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${quoted}`];
  if (security?.length !== 0) lines.push('-H "Authorization: Bearer $API_TOKEN"');
  const body = schemaOf(requestBody);
  if (body !== undefined) {
    const given = { ...body, properties: shownMembers(body) };
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(sampleOf(given, schemas, names))}'`);
  }
  if (requestBody?.content?.['application/octet-stream'] !== undefined) {
    lines.push("-H 'Content-Type: application/octet-stream'", '--data-binary @plan.md');
  }
  const [status, reply] = Object.entries(responses).find(([one]) => one.startsWith('2')) ?? [];
  const result = schemaOf(reply)?.properties?.['result'];
  const text =
    result === undefined ? '' : `\n{"result": ${JSON.stringify(sampleOf(result, schemas, names), null, 2)}, ...}`;
  const answer = status === undefined ? '' : `\n\n${status}${text}`;
  return lines.join(' \\\n  ') + answer;
}

function schemaOf(content: Content | undefined): DocumentedSchema | undefined {
  return content?.content?.['application/json']?.schema;
}

/** Returns the members of an example: those that are required, and lists and objects that have a value to show. */
function shownMembers({ properties = {}, required = [] }: DocumentedSchema): Record<string, DocumentedSchema> {
  const isShown = ({ example, items, properties: members }: DocumentedSchema): boolean =>
    example !== undefined && (required.length === 0 || items !== undefined || members !== undefined);
  return Object.fromEntries(
    Object.entries(properties).filter(([name, schema]) => required.includes(name) || isShown(schema)),
  );
}
