import type { Dialect } from '../dialect/dialect.ts';
import { compileRemote } from './remote-template.ts';
import { isLoopback } from '../outbound/loopback.ts';
import { requireReachable } from './remote-conflicts.ts';
import type { Settings } from './settings.ts';
import { SettingsError } from '@packhouse/base';

/** Derives what follows from other settings (REPO-023, REPO-213) and checks the remote template (REPO-026). */
export function completeOrigins(settings: Settings, dialect: Dialect): Settings {
  const public_url = baseUrl('public_url', settings.public_url);
  const git_origin = baseUrl('git_origin', settings.git_origin ?? public_url);
  const { host, hostname } = new URL(git_origin);
  const git_host = settings.git_host ?? host;
  if (!/^[A-Za-z0-9._-]+(:\d+)?$|^\[[0-9a-fA-F:.]+\](:\d+)?$/.test(git_host)) {
    throw new SettingsError('git_host', 'must be a host name, with a port if need be');
  }
  const template =
    settings.remote_template ?? (isLoopback(hostname) ? dialect.loopbackRemoteTemplate : dialect.remoteTemplate);
  const remote_template = template.replaceAll('{git_origin}', git_origin).replaceAll('{git_host}', git_host);
  const several = settings.accounts === 'any' || settings.accounts.length > 1;
  const compiled = compileRemote(remote_template, { accountNeeded: several, suffixOptional: dialect.suffixOptional });
  requireReachable(compiled, settings.accounts, { basePath: dialect.basePath, mountPath: mountPathOf(public_url) });
  const docs_base = settings.docs_base ?? `${public_url}/docs`;
  return { ...settings, public_url, git_origin, git_host, remote_template, docs_base };
}

/** The path that every address of a service begins with (REPO-216), without a final slash: empty at the root of an origin. */
export function mountPathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}

/** An origin, perhaps with the path where an app mounts the service (REPO-216). A final slash is taken off. */
function baseUrl(setting: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const path = url === undefined ? '' : mountPathOf(text);
  const plain = /^(?:\/[\w.~-]+)*$/.test(path) && url?.search === '' && url.hash === '' && url.username === '';
  if (url === undefined || !/^https?:$/.test(url.protocol) || !plain) {
    throw new SettingsError(
      setting,
      'must be an origin such as https://git.example, perhaps with a path such as /repos',
    );
  }
  return url.origin + path;
}
