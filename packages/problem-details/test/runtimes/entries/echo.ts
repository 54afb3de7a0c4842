/** Returns the request as text, and prints its path. */
export async function handle(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  console.log(JSON.stringify({ pathname }));
  return new Response(`${request.method} ${pathname} ${await request.text()}`, { status: 201 });
}
