import type { ServeOptions, Server } from './server.js'
import { TlsServer } from './tls-server.js'

/** Serves the API to the network. Resolves when connections are taken; rejects as `listen` does where that cannot be. */
export async function serve(options: ServeOptions): Promise<Server> {
  const server = new TlsServer(options)
  await server.listen(options.port, options.address)
  return server
}
