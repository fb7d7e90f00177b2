import type { Environment } from '../base/environment.js'
import type { EventRecorder } from '../client/events/event-recorder.js'
import type { SharedInformers } from '../client/informers/informer.js'
import type { Transport } from '../client/transport.js'
import { catalogue, type Entry, type LoopOptions } from './catalogue.js'
import type { RunningController } from './runtime/controller.js'
import { selected } from './selection.js'

export interface ManagerParts {
  readonly environment: Environment
  readonly informers: SharedInformers
  /** Carries requests in the name of a service account of `kube-system`. */
  readonly transportOf: (serviceAccount: string) => Transport
  /** Tells of events in the name of a component. */
  readonly eventsOf: (component: string, transport: Transport) => EventRecorder
  readonly options?: LoopOptions
  /** `--controllers`: `*` for those that are on by themselves, `name` and `-name` for more and fewer. */
  readonly controllers?: readonly string[]
}

/** Starts the loops, each in its own name and with no more rights than it needs. */
export function startControllers(parts: ManagerParts): RunningController {
  const running = selected(catalogue, parts.controllers ?? ['*']).map((entry) => start(entry, parts))
  return {
    async close() {
      await Promise.all(running.map((loop) => loop.close()))
    },
  }
}

function start(entry: Entry, { environment, informers, transportOf, eventsOf, options = {} }: ManagerParts) {
  const { name, serviceAccount, component = name } = entry
  const transport = transportOf(serviceAccount)
  const events = eventsOf(component, transport)
  const log = environment.log.with({ controller: name })
  return entry.make(options).start({ environment: { ...environment, log }, transport, informers, events })
}
