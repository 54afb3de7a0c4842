/** An invalid configuration. The message names the first wrong member and never shows a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
