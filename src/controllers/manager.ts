import type { Environment } from '../base/environment.js'
import { Client } from '../client/client.js'
import { eventRecorder, type RunningEventRecorder } from '../client/events/recorder.js'
import { type AnswerInProcess, type InProcessUser, inProcessTransport } from '../client/in-process.js'
import { Informers } from '../client/informers/informers.js'
import type { Transport } from '../client/transport.js'
import { catalogue, type Entry, type LoopOptions } from './catalogue.js'
import { selected } from './selection.js'

export interface ManagerParts {
  readonly environment: Environment
  /** Carries what the informers ask, in the name of the manager. */
  readonly transport: Transport
  /** Carries requests in the name of a service account of `kube-system`, or in that of the manager. */
  readonly transportOf: (serviceAccount: string | undefined) => Transport
  readonly options?: LoopOptions
  /** `--controllers`: `*` for those that are on by themselves, `name` and `-name` for more and fewer. */
  readonly controllers?: readonly string[]
}

export interface RunningControllers {
  /** As `--controllers` knows them. */
  readonly names: readonly string[]
  /** What they see of the world. */
  readonly informers: Informers
  /** Resolves when the loops know everything that there was, and work. */
  synced(): Promise<void>
  /** Why the loops do not work; undefined while they work. */
  problem(): string | undefined
  /** Begins nothing more, and resolves when what was begun has ended. */
  close(): Promise<void>
  /** The same at once: what has not been sent never is, and nothing that was begun is brought to its end. */
  abandon(): Promise<void>
}

/** Starts the loops, each in its own name and with no more rights than it needs. */
export function startControllers(parts: ManagerParts): RunningControllers {
  const informers = new Informers(new Client(parts.transport, { clock: parts.environment.clock }), parts.environment)
  const running = selected(catalogue, parts.controllers ?? ['*']).flatMap((entry) => start(entry, parts, informers))
  const disconnect = () => {
    for (const { transport } of running) transport.close()
    parts.transport.close()
  }
  let [isSynced, isClosed] = [false, false]
  const synced = async () => {
    await informers.synced()
    isSynced = true
  }
  synced().catch(() => {}) // closed before that: whoever waits is told
  const close = async () => {
    isClosed = true
    await Promise.all(running.map(({ loop }) => loop.close()))
    await informers.close()
    await Promise.all(running.map(({ events }) => events.close()))
    disconnect()
  }
  return {
    names: running.map(({ name }) => name),
    informers,
    synced,
    problem() {
      if (isClosed) return 'the control loops have stopped'
      return isSynced ? undefined : 'the control loops have not read all objects yet'
    },
    close,
    abandon() {
      disconnect()
      return close()
    },
  }
}

function start(entry: Entry, { environment: outside, transportOf, options = {} }: ManagerParts, informers: Informers) {
  const { name, serviceAccount, component = name } = entry
  const controller = entry.make(options)
  if (!controller) return []
  const environment = { ...outside, log: outside.log.with({ controller: name }) }
  const transport = transportOf(serviceAccount)
  const events: RunningEventRecorder = eventRecorder(
    new Client(transport, { clock: environment.clock }),
    { component },
    environment,
  )
  return [{ name, transport, events, loop: controller.start({ environment, transport, informers, events }) }]
}

/** How the loops reach an API server in this process: the server takes their word for who they are. */
export function inProcessTransports(answer: AnswerInProcess): Pick<ManagerParts, 'transport' | 'transportOf'> {
  const as = (user: Pick<InProcessUser, 'name' | 'groups'>, userAgent: string) =>
    inProcessTransport({ answer, user: { uid: '', extra: {}, ...user }, userAgent })
  const manager = { name: 'system:kube-controller-manager', groups: ['system:authenticated'] }
  return {
    transport: as(manager, 'kube-controller-manager'),
    transportOf: (account) =>
      as(account === undefined ? manager : serviceAccountUser(account), 'kube-controller-manager'),
  }
}

function serviceAccountUser(account: string): Pick<InProcessUser, 'name' | 'groups'> {
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated']
  return { name: `system:serviceaccount:kube-system:${account}`, groups }
}
