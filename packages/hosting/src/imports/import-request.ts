import { Fields, type RawFields } from '@packhouse/base';
import { checkNamespace, checkRepoName, readBranch } from '../input/repo-fields.ts';
import type { Settings } from '../settings/settings.ts';

/** The checked path and body of an import request. */
export interface ImportRequest {
  readonly namespace: string;
  readonly name: string;
  readonly description: string | null;
  readonly readOnly: boolean;
  /** An `https` URL without user name, password, query, fragment and trailing slash. */
  readonly url: URL;
  readonly branch: string | undefined;
  readonly depth: number | undefined;
}

/**
 * Reads the path and body of an import (REPO-125, REPO-126).
 *
 * @throws {HostingError} for every bad field.
 */
export function readImportRequest(namespace: string, name: string, body: RawFields, settings: Settings): ImportRequest {
  const fields = new Fields(body);
  checkNamespace(fields, namespace, settings);
  checkRepoName(fields, name, settings);
  const url = readUrl(fields);
  const branch = readBranch(fields, 'branch');
  const depth = fields.integer('depth', { min: 1 }, undefined);
  const readOnly = fields.boolean('read_only', false);
  const description = fields.optionalString('description', settings.description_max) ?? null;
  fields.check();
  return { namespace, name, description, readOnly, url, branch, depth };
}

/** Returns the URL with one `.git` at its end, as sources and messages show it. */
export function cloneUrl(url: URL): string {
  return `${url.href.replace(/\.git$/, '')}.git`;
}

/** Characters that a URL may have, since the repo's record keeps it and lists show it. */
const urlMax = 2048;
const nothing = new URL('https://invalid.invalid');

function readUrl(fields: Fields): URL {
  const errors = fields.errorCount;
  const text = fields.string('url');
  if (fields.errorCount > errors) return nothing;
  if (text.length > urlMax) {
    fields.fail('url', `Too big: expected string to have <=${urlMax} characters`);
    return nothing;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') {
    fields.fail('url', 'Must be an HTTPS URL');
    return nothing;
  }
  if (url.username !== '' || url.password !== '') fields.fail('url', undefined, 'invalidUrl');
  // A query may contain a secret, and the source of a repo is stored and shown.
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}
