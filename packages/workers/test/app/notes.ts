import type { RepoError, Repos } from '@packhouse/binding';

interface Env {
  readonly REPOS: Repos;
}

/** An app that keeps notes: each notebook is a repository, made and read through the binding, and written with Git. */
export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const [notebook = '', ...path] = new URL(request.url).pathname.slice(1).split('/');
    try {
      if (notebook === '') return Response.json(await env.REPOS.list());
      if (request.method === 'POST') {
        const { remote, token } = await env.REPOS.create(notebook, { description: 'Notes' });
        return Response.json({ remote, token }, { status: 201 });
      }
      using repo = await env.REPOS.get(notebook);
      if (path.length === 0) return Response.json(await repo.info());
      const note = await repo.readFile({ ref: 'main', path: path.join('/') });
      return note === null ? new Response('No such note.\n', { status: 404 }) : new Response(note);
    } catch (error) {
      const { code, numericCode, message } = error as RepoError;
      return Response.json({ code, numericCode, message }, { status: code === 'NOT_FOUND' ? 404 : 500 });
    }
  },
};
