// A chat server on a real socket, for clients that send what they like.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server; returns its address, and how to stop it. */
export async function serve(answer: (request: IncomingMessage) => Promise<Response>) {
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request).catch(
      (error: unknown) => new Response(String(error), { status: 400 }),
    );
    response.writeHead(status);
    for await (const chunk of body ?? []) response.write(chunk);
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}
