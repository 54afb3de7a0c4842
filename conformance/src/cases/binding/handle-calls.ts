/** A call of a method of a handle. */
export type HandleCall = readonly [method: string, ...args: readonly unknown[]];

/** Returns a call of every method of a handle, with these arguments of those that take a hash, a token or a name. */
export function handleCalls(hash: string, token: string, fork: string): readonly HandleCall[] {
  return [
    ['info'],
    ['update', { description: 'x' }],
    ['createToken'],
    ['listTokens'],
    ['revokeToken', token],
    ['readBlob', hash],
    ['readTree', hash],
    ['readCommit', hash],
    ['readFile', { ref: 'main', path: 'x' }],
    ['log'],
    ['listRefs'],
    ['merge', { into: 'main', from: 'main', author: { name: 'a', email: 'e' } }],
    ['cherryPick', { into: 'main', commit: 'main', committer: { name: 'a', email: 'e' } }],
    ['revert', { into: 'main', commit: 'main', author: { name: 'a', email: 'e' } }],
    ['commit', { branch: 'x', message: 'm', author: { name: 'a', email: 'e' }, allowEmpty: true }],
    ['writeBlob', new Uint8Array(1)],
    ['compare', { base: 'main', head: 'main' }],
    ['archive', 'main'],
    ['updateRefs', [{ name: 'refs/heads/x', new: null }]],
    ['readFiles', { paths: ['a'] }],
    ['listTree', undefined],
    ['search', 'x'],
    ['fork', fork],
  ];
}
