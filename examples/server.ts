// Stands in for your web framework: the sign-in and the HTTP server of the production examples.

import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';

/** What a client sends: words of the user, or the answer to a question. */
export interface Request {
  readonly thread: string;
  readonly text?: string;
  readonly approve?: boolean;
}

const tenants = new Map([
  ['Bearer token-of-north', 'north'],
  ['Bearer token-of-south', 'south'],
]);

/** Starts the server on the port of the environment, or on a free one. */
export function serve(answer: (tenant: string, request: Request) => Promise<unknown>): Server {
  const server = createServer(async (incoming, response) => {
    const tenant = tenants.get(incoming.headers.authorization ?? '');
    try {
      if (tenant === undefined) response.writeHead(401).end();
      else response.end(JSON.stringify(await answer(tenant, (await json(incoming)) as Request)));
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });
  const { PORT = 0 } = process.env;
  return server.listen(Number(PORT), () => console.log('listening'));
}
