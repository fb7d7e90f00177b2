import { environment as realEnvironment } from '../base/environment.js'
import { Client, type ClientOptions } from './client.js'
import { type ConnectOptions, connect } from './connect.js'
import { thisHost } from './host-access.js'
import { type ResolveOptions, resolveConnection } from './kubeconfig/resolve.js'

export type ByKubeconfigOptions = ResolveOptions & ConnectOptions & Pick<ClientOptions, 'warn'>

/**
 * A client as kubectl would have it: by flags, `$KUBECONFIG`, `~/.kube/config`, or as the service account of the pod that this runs in.
 * `resolveConnection` and `connect` are its two steps, for those who need to know the namespace as well.
 */
export async function clientByKubeconfig(options: ByKubeconfigOptions = {}): Promise<Client> {
  const { host = thisHost(), environment = realEnvironment(), warn } = options
  const connection = await resolveConnection(host, options)
  const transport = await connect(connection, { ...options, host, environment })
  return new Client(transport, { clock: environment.clock, ...(warn && { warn }) })
}
