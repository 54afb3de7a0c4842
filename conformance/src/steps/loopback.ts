/** Returns true if the specification counts a URL as loopback (REPO-026, REPO-211). */
export function isLoopback(url: string): boolean {
  return /^(?:127(?:\.\d+){3}|\[::1\]|(?:.+\.)?localhost)$/.test(new URL(url).hostname);
}
