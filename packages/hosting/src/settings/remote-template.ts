import { SettingsError } from '@packhouse/base';
import { isLoopback } from '../outbound/loopback.ts';

/** A `remote_template` whose rules were checked, in the two parts that an incoming request shows. */
export interface RemoteTemplate {
  /** With `{account_id}`, `{namespace}` and `{repo}` still to be filled. */
  readonly text: string;
  /** Matches the host (with port) of a request; undefined if the host has no placeholder. */
  readonly host: RegExp | undefined;
  /** One expression per path segment, for its decoded text. The last one matches without `.git`, too, if that is optional. */
  readonly segments: readonly RegExp[];
  /** The path before the first placeholder in it, up to and with a slash (GIT-004). */
  readonly prefix: string;
}

const placeholders = ['account_id', 'namespace', 'repo'] as const;
const ofName = '[a-zA-Z0-9._-]';
const classes: Readonly<Record<string, string>> = { account_id: '[a-zA-Z0-9_-]', namespace: ofName, repo: ofName };

/**
 * Checks a template (REPO-026) and prepares its inversion. `{git_origin}` and `{git_host}` are filled already.
 *
 * @throws {SettingsError} naming the rule that it breaks.
 */
export function compileRemote(
  text: string,
  options: { readonly accountNeeded: boolean; readonly suffixOptional: boolean },
): RemoteTemplate {
  const broken = (rule: string): SettingsError => new SettingsError('remote_template', `${rule} (REPO-026): ${text}`);
  const unknown = /\{(?!(?:account_id|namespace|repo)\})[^}]*\}?/.exec(text)?.[0];
  if (unknown !== undefined)
    throw broken(`must have no other placeholder than {account_id}, {namespace} and {repo}, not ${unknown}`);
  for (const name of placeholders) {
    const count = text.split(`{${name}}`).length - 1;
    if (count > 1) throw broken(`must not contain {${name}} twice`);
    if (count === 0 && name !== 'account_id') throw broken(`must contain {${name}}`);
    if (count === 0 && options.accountNeeded) {
      throw broken('must contain {account_id}, because the deployment serves more than one account');
    }
  }
  if (!text.endsWith('.git')) throw broken('must end in .git');

  const parts = /^(https?):\/\/([^/?#\s@\\]+)(\/[^?#\s\\]*)$/.exec(text);
  const sample = text.replace(/\{\w+\}/g, 'x');
  if (parts === null || !URL.canParse(sample)) throw broken('must be an https URL without query or user');
  const [, scheme, host, path] = parts as unknown as [string, string, string, string];
  if (scheme === 'http' && !isLoopback(new URL(sample).hostname)) {
    throw broken('must be an https URL; http is accepted for a loopback host only');
  }
  if (!isAsSent(new URL(sample), host, path)) {
    throw broken('must be written as clients send it: in ASCII, without . or .. segments and percent-encoding');
  }
  const ambiguous = [host, ...path.split('/')].find((segment) => !isUnambiguous(segment));
  if (ambiguous !== undefined) {
    throw broken(`must keep two names apart by a character that one of them cannot have, unlike ${ambiguous}`);
  }
  return {
    text,
    host: host.includes('{') ? inverse(withoutDefaultPort(host, `${scheme}:`), { flags: 'i' }) : undefined,
    segments: path
      .slice(1)
      .split('/')
      .map((segment, i, { length }) =>
        options.suffixOptional && i === length - 1 && segment !== '.git'
          ? inverse(segment.slice(0, -'.git'.length), { suffix: optionalSuffix })
          : inverse(segment),
      ),
    prefix: path.slice(0, path.slice(0, (path + '{').indexOf('{')).lastIndexOf('/') + 1),
  };
}

/** Tests if a URL parser keeps the parts unchanged, so that requests can be matched. */
function isAsSent(sample: URL, host: string, path: string): boolean {
  const filled = (part: string): string => part.replace(/\{\w+\}/g, 'x');
  if (sample.pathname !== filled(path) || path.includes('%')) return false;
  return !host.includes('{') || sample.host === filled(withoutDefaultPort(host, sample.protocol)).toLowerCase();
}

function withoutDefaultPort(host: string, protocol: string): string {
  return host.replace(protocol === 'https:' ? /:443$/ : /:80$/, '');
}

/** Tests if the text between two placeholders of a segment cannot be part of both values. */
function isUnambiguous(segment: string): boolean {
  const [, ...pieces] = segment.split(/\{(\w+)\}/);
  for (let i = 0; i + 2 < pieces.length; i += 2) {
    const [left, between, right] = pieces.slice(i, i + 3) as [string, string, string];
    const apart = [left, right].some((name) =>
      [...between].some((one) => !new RegExp(classes[name] as string).test(one)),
    );
    if (!apart) return false;
  }
  return true;
}

/** In any case of letters, as names are looked up (GIT-186). */
const optionalSuffix = String.raw`(?:\.[gG][iI][tT])?`;

/**
 * Makes the expression of a segment. A single placeholder matches any text, so that a bad name is looked up like any
 * other. A name is as short as possible, so that it does not include `suffix` (an expression).
 */
function inverse(pattern: string, { flags = '', suffix = '' } = {}): RegExp {
  const alone = pattern.split('{').length === 2;
  const source = pattern
    .split(/(\{\w+\})/)
    .map((piece) => {
      const name = /^\{(\w+)\}$/.exec(piece)?.[1];
      if (name === undefined) return piece.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
      return `(?<${name}>${alone && name !== 'account_id' ? '.' : classes[name]}+?)`;
    })
    .join('');
  return new RegExp(`^${source}${suffix}$`, `s${flags}`);
}
