import { Client, type ClientOptions } from '../../client/client.js'
import { httpsTransport } from '../../client/https/https-transport.js'
import { type InProcessUser, inProcessTransport } from '../../client/in-process.js'
import type { ApiServerAccess, TestApiServer } from './api-server.js'

export const administrator: InProcessUser = {
  name: 'admin',
  uid: 'admin',
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
}

/** Creates a client of a server in this process, without sockets. */
export function inProcessClient(
  { api, environment }: Pick<TestApiServer, 'api'> & Partial<Pick<TestApiServer, 'environment'>>,
  options: ClientOptions & { readonly user?: InProcessUser } = {},
): Client {
  const clock = environment && { clock: environment.clock }
  return new Client(inProcessTransport({ handle: api.handleInProcess, user: options.user ?? administrator }), {
    ...clock,
    ...options,
  })
}

/** Creates a client over HTTPS. */
export function httpsClient(
  { url, token, authority }: ApiServerAccess,
  options: ClientOptions & { readonly token?: string } = {},
): Client {
  return new Client(httpsTransport({ server: url, authority, token: options.token ?? token }), options)
}
