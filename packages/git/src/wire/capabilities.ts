/** Capabilities that both sides declare (gitprotocol-capabilities(5), gitprotocol-v2(5)). */

import { RequestRefusedError } from './request-error.ts';

/** Services of smart HTTP (GIT-001). */
export type GitService = 'git-upload-pack' | 'git-receive-pack';

export type ProtocolVersion = 0 | 1 | 2;

/** Values by name: the text after `=`, or the empty string. The first of a repeated name counts. */
export type Capabilities = ReadonlyMap<string, string>;

/** Identity of a server in a reply: printable ASCII without spaces (GIT-049). */
export interface ServerIdentity {
  readonly agent: string;
  /** New for each reply, 1 to 64 characters. */
  readonly sessionId: string;
}

/** A name, or a name with a value. */
export type Capability = string | readonly [name: string, value: string];

/** Parses the list of version 0 and 1, which is separated by spaces. */
export function parseCapabilities(list: string): Capabilities {
  const capabilities = new Map<string, string>();
  for (const word of list.split(' ')) {
    if (word !== '') addCapability(capabilities, word);
  }
  return capabilities;
}

/** Adds one `<name>` or `<name>=<value>` unless the name exists. Returns true if it was added. */
export function addCapability(capabilities: Map<string, string>, word: string): boolean {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  if (capabilities.has(name)) return false;
  capabilities.set(name, equals < 0 ? '' : word.slice(equals + 1));
  return true;
}

/** Formats as `<name>` or `<name>=<value>`. */
export function formatCapability(capability: Capability): string {
  return typeof capability === 'string' ? capability : `${capability[0]}=${capability[1]}`;
}

/** Returns the highest version in a `Git-Protocol` header; 0 without one (GIT-040). */
export function parseGitProtocol(header: string | null | undefined): ProtocolVersion {
  let version: ProtocolVersion = 0;
  for (const entry of (header ?? '').split(':')) {
    if (entry === 'version=2') return 2;
    if (entry === 'version=1') version = 1;
  }
  return version;
}

/** The only supported object format. */
export const objectFormat = 'sha1';

/** Makes the text for another object format (GIT-050). */
export function unsupportedObjectFormat(name: string): string {
  return `unsupported object format '${printable(name)}'`;
}

/** @throws {RequestRefusedError} if the client requests another object format (GIT-050). */
export function refuseOtherObjectFormat(capabilities: Capabilities): void {
  const asked = capabilities.get('object-format');
  if (asked !== undefined && asked !== objectFormat) throw new RequestRefusedError(unsupportedObjectFormat(asked));
}

/** Prepares text of a request for a message: one line, no control characters, at most `most` characters. */
export function printable(text: string, most = 200): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
  return line.length > most ? `${line.slice(0, most).toWellFormed()}...` : line;
}

/** Prepares the name of a ref for a message. Does not truncate valid names (LIM-055). */
export function printableRef(name: string): string {
  return printable(name, 1024);
}
