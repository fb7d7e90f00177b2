import { type Environment, environment as realEnvironment } from '../base/environment.js'
import { Client } from '../client/client.js'
import { type ConnectOptions, connect } from '../client/connect.js'
import { eventRecorder } from '../client/events/recorder.js'
import { thisHost } from '../client/host-access.js'
import { Informers } from '../client/informers/informers.js'
import { type ResolveOptions, resolveConnection } from '../client/kubeconfig/resolve.js'
import type { Transport } from '../client/transport.js'
import type { Controller } from './runtime/reconcile.js'

export interface OperatorOptions extends ResolveOptions, ConnectOptions {
  readonly environment?: Environment
  /** Carries all requests, in place of what a kubeconfig says; its owner closes it. */
  readonly transport?: Transport
  /** A cluster of `proa/testing`, or `cluster.as(…)`: the operator talks to it without sockets, and lives by its clock. */
  readonly cluster?: OperatorCluster
}

/** What an operator needs of a cluster in this process. */
export interface OperatorCluster {
  readonly transport: Transport
  readonly environment: Environment
}

export interface RunningOperator extends AsyncDisposable {
  /** Begins nothing more, and resolves when what was begun has ended. */
  close(): Promise<void>
}

/**
 * Starts control loops of one's own, which share their informers. They reach the server as kubectl would: by flags, `$KUBECONFIG`,
 * `~/.kube/config`, or as the service account of the pod that this runs in. Resolves when they know everything that there is, and work;
 * a server that cannot be reached, or refuses, is asked again and again, and the environment's log tells of it.
 */
export async function startOperator(
  controllers: readonly Controller[],
  options: OperatorOptions = {},
): Promise<RunningOperator> {
  const environment = options.environment ?? options.cluster?.environment ?? realEnvironment()
  const given = options.transport ?? options.cluster?.transport
  const transport = given ?? (await connected(options))
  const client = new Client(transport, { clock: environment.clock })
  const informers = new Informers(client, environment)
  const running = controllers.map((controller) => {
    const surroundings = { ...environment, log: environment.log.with({ controller: controller.name }) }
    const events = eventRecorder(client, { component: controller.name }, surroundings)
    return { events, loop: controller.start({ environment: surroundings, transport, informers, events }) }
  })
  const close = async () => {
    await Promise.all(running.map(({ loop }) => loop.close()))
    await informers.close()
    await Promise.all(running.map(({ events }) => events.close()))
    if (!given) transport.close()
  }
  await informers.synced()
  return { close, [Symbol.asyncDispose]: close }
}

async function connected(options: OperatorOptions): Promise<Transport> {
  const host = options.host ?? thisHost()
  return connect(await resolveConnection(host, options), { ...options, host })
}
