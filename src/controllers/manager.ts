import type { Environment } from '../base/environment.js'
import { Client } from '../client/client.js'
import { eventRecorder } from '../client/events/recorder.js'
import { type InProcessHandler, type InProcessUser, inProcessTransport } from '../client/in-process.js'
import { Informers } from '../client/informers/informers.js'
import type { Transport } from '../client/transport.js'
import { definitions as allDefinitions, type ControllerFlags, flagValuesOf, selectedControllers } from './catalogue.js'
import type { ClusterCredentials, ControllerDefinition } from './definition.js'
import { controller } from './runtime/builder.js'

/** Settings of the controllers. */
export interface ControllerOptions {
  /** By upstream's names; a flag that is left out has its default. */
  readonly flags?: Partial<ControllerFlags>
  readonly credentials?: ClusterCredentials
}

export interface ControllerManagerOptions extends ControllerOptions {
  readonly environment: Environment
  /** Carries the requests of the informers, as the controller manager. */
  readonly transport: Transport
  /** Carries requests as a service account of `kube-system`, or as the controller manager. */
  readonly transportOf: (serviceAccount: string | undefined) => Transport
  /** Reads a text file that a flag names. */
  readonly readFile?: (path: string) => string
  /** All controllers to choose from; those of Proa unless given. */
  readonly definitions?: readonly ControllerDefinition[]
}

export interface RunningControllers {
  /** As `--controllers` names them. */
  readonly names: readonly string[]
  /** Caches of the objects that they watch. */
  readonly informers: Informers
  /** Resolves when the caches are filled and the controllers work. */
  synced(): Promise<void>
  /** Why the controllers do not work; undefined while they work. */
  problem(): string | undefined
  /** Starts no further reconcile, and resolves when those that run have ended. */
  close(): Promise<void>
  /** Stops at once: what has not been sent is never sent. */
  abandon(): Promise<void>
}

/** Starts the selected controllers, each as its own service account, with no more rights than it needs. */
export function startControllers(options: ControllerManagerOptions): RunningControllers {
  const { environment, transport, flags, definitions = allDefinitions } = options
  const informers = new Informers(new Client(transport, { clock: environment.clock }), environment)
  const selected = selectedControllers(definitions, flags?.controllers ?? ['*'])
  const running = selected.flatMap((definition) => start(definition, options, informers))
  const disconnect = () => {
    for (const each of running) each.transport.close()
    transport.close()
  }
  let [isSynced, isClosed] = [false, false]
  const synced = async () => {
    await informers.synced()
    isSynced = true
  }
  synced().catch(() => {}) // closed before that: callers of `synced` get the error
  const close = async () => {
    isClosed = true
    await Promise.all(running.map((each) => each.controller.close()))
    await informers.close()
    await Promise.all(running.map(({ events }) => events.close()))
    disconnect()
  }
  return {
    names: running.map(({ name }) => name),
    informers,
    synced,
    problem() {
      if (isClosed) return 'the controllers have stopped'
      return isSynced ? undefined : 'the controllers have not read all objects yet'
    },
    close,
    abandon() {
      disconnect()
      return close()
    },
  }
}

function start(definition: ControllerDefinition, options: ControllerManagerOptions, informers: Informers) {
  const { name, queue, serviceAccount, eventSource = name } = definition
  const { flags = {}, credentials = {}, readFile = noFiles } = options
  const setup = { flags: flagValuesOf(definition, flags), credentials, readFile }
  const created = definition.create(controller(name, queue), setup)
  if (!created) return []
  const environment = { ...options.environment, log: options.environment.log.with({ controller: name }) }
  const transport = options.transportOf(serviceAccount)
  const client = new Client(transport, { clock: environment.clock })
  const events = eventRecorder(client, { component: eventSource }, environment)
  return [{ name, transport, events, controller: created.start({ environment, transport, informers, events }) }]
}

function noFiles(path: string): string {
  throw new Error(`cannot read ${path}: this controller manager was started without access to files`)
}

/** How controllers reach an API server in the same process, which trusts them to be who they say they are. */
export function inProcessTransports(
  handle: InProcessHandler,
): Pick<ControllerManagerOptions, 'transport' | 'transportOf'> {
  const as = (user: Pick<InProcessUser, 'name' | 'groups'>) =>
    inProcessTransport({ handle, user: { uid: '', extra: {}, ...user }, userAgent: 'kube-controller-manager' })
  const manager = { name: 'system:kube-controller-manager', groups: ['system:authenticated'] }
  return {
    transport: as(manager),
    transportOf: (account) => as(account === undefined ? manager : serviceAccountUser(account)),
  }
}

function serviceAccountUser(account: string): Pick<InProcessUser, 'name' | 'groups'> {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated']
  return { name: `system:serviceaccount:kube-system:${account}`, groups }
}
