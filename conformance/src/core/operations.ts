/** The operations of the control plane. */

/** Every path with its methods, except HEAD. `{}` stands for a name. */
export const restPaths: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ['/namespaces', ['GET', 'POST']],
  ['/namespaces/{}', ['GET', 'DELETE']],
  ['/namespaces/{}/repos', ['GET', 'POST']],
  ['/namespaces/{}/repos/{}', ['GET', 'PATCH', 'DELETE']],
  ['/namespaces/{}/repos/{}/log', ['GET']],
  ['/namespaces/{}/repos/{}/commit/{}', ['GET']],
  ['/namespaces/{}/repos/{}/tree', ['GET']],
  ['/namespaces/{}/repos/{}/tree/{}', ['GET']],
  ['/namespaces/{}/repos/{}/files', ['POST']],
  ['/namespaces/{}/repos/{}/blob/{}', ['GET']],
  ['/namespaces/{}/repos/{}/file', ['GET']],
  ['/namespaces/{}/repos/{}/raw/{}/{}', ['GET']],
  ['/namespaces/{}/repos/{}/raw/{}/{}/{}', ['GET']],
  ['/namespaces/{}/repos/{}/archive/{}', ['GET']],
  ['/namespaces/{}/repos/{}/commits', ['POST']],
  ['/namespaces/{}/repos/{}/merges', ['POST']],
  ['/namespaces/{}/repos/{}/cherry-picks', ['POST']],
  ['/namespaces/{}/repos/{}/reverts', ['POST']],
  ['/namespaces/{}/repos/{}/compare', ['GET']],
  ['/namespaces/{}/repos/{}/refs', ['GET', 'POST']],
  ['/namespaces/{}/repos/{}/refs/{}', ['GET', 'PUT', 'DELETE']],
  ['/namespaces/{}/repos/{}/refs/{}/{}', ['GET', 'PUT', 'DELETE']],
  ['/namespaces/{}/repos/{}/search', ['GET']],
  ['/namespaces/{}/repos/{}/fork', ['POST']],
  ['/namespaces/{}/repos/{}/import', ['POST']],
  ['/namespaces/{}/repos/{}/tokens', ['GET']],
  ['/namespaces/{}/tokens', ['POST']],
  ['/namespaces/{}/tokens/{}', ['DELETE']],
  ['/api-tokens', ['GET', 'POST']],
  ['/api-tokens/{}', ['DELETE']],
];

/** A method and a path of {@link restPaths}, such as `GET /namespaces/{}`. */
export type Operation = string;

const forms = restPaths.flatMap(([path, methods]) => {
  const form = new RegExp(`^${path.replaceAll('{}', '[^/]+')}$`);
  return methods.map((method) => ({ operation: `${method} ${path}`, method, form }));
});

/** Returns the operation of a request. `path` is below the base of the account. HEAD counts as GET. */
export function operationOf(method: string, path: string): Operation | undefined {
  const asked = method.toUpperCase() === 'HEAD' ? 'GET' : method.toUpperCase();
  const [bare = ''] = path.split(/[?#]/);
  return forms.find((one) => one.method === asked && one.form.test(bare))?.operation;
}
