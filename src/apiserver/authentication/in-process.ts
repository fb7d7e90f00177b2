import type { Authenticator } from './authenticator.js'

/** Components in this process are known to the transport, which no request from outside can pass for. */
export const inProcessAuthenticator: Authenticator = {
  name: 'in-process',
  authenticate: (request) => request.peer.user,
}
