import { Node } from '../../api/core/v1/node.js'
import { whenAborted } from '../../base/abort.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Logger } from '../../base/logging.js'
import type { Client } from '../../client/client.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { Informer } from '../../client/informers/informer.js'
import type { Informers } from '../../client/informers/informers.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { NodeEvents } from './node-events.js'
import type { NodeHost } from './node-host.js'
import type { NodeIdentity } from './node-identity.js'
import { NodeLease } from './node-lease.js'
import type { NodeOptions } from './node-options.js'
import { hasChanged, nodePatch } from './node-patch.js'
import { registerNode } from './node-registration.js'
import { areSameInputs, NodeReport, type ReportInputs } from './node-report.js'
import type { NodeResources } from './node-resources.js'
import { RuntimeHealth } from './runtime-health.js'
import { WakeableSleep } from './wakeable-sleep.js'

/** Upstream's periods in milliseconds. */
const runtimeCheckPeriod = 5000
const eagerCheckPeriod = 100
const eagerFor = 30_000
const maxTries = 5
/** Milliseconds to wait for a fast runtime, so that the node registers as ready. */
const firstCheckTimeout = 500

export interface NodeAgentDependencies {
  readonly environment: Environment
  readonly client: Client
  readonly informers: Informers
  readonly runtime: Pick<ContainerRuntime, 'status' | 'version' | 'listImages' | 'imageFsInfo' | 'updateRuntimeConfig'>
  readonly host: NodeHost
  readonly identity: NodeIdentity
  readonly events: EventRecorder
  /** Port of the kubelet's API, usually 10250. */
  readonly port: number
  /** Version of the kubelet: `v1.36.4+proa-0.1.0`. */
  readonly version: string
  readonly options?: NodeOptions | undefined
}

/** Maintains the Node and its Lease. */
export interface NodeAgent {
  /** Capacity and allocatable resources. Known before the Node is registered. */
  readonly resources: NodeResources
  readonly health: RuntimeHealth
  readonly events: NodeEvents
  /** Resolves with the Node once it is registered. Rejects if the agent is closed before. */
  readonly registered: Promise<Node>
  /** Returns the Node as last seen. Undefined before registration and after a deletion. */
  node(): Node | undefined
  close(): Promise<void>
}

/** Resolves when the host has been measured. Registration continues in the background. */
export async function nodeAgent(dependencies: NodeAgentDependencies): Promise<NodeAgent> {
  const { environment, runtime, identity, options = {} } = dependencies
  const health = new RuntimeHealth({ environment, runtime })
  const events = new NodeEvents(dependencies.events, identity.nodeName)
  events.starting()
  const report = await NodeReport.create({ ...dependencies, options, health, events })
  return new RunningAgent({ ...dependencies, options }, { health, events, report })
}

interface AgentComponents {
  readonly health: RuntimeHealth
  readonly events: NodeEvents
  readonly report: NodeReport
}

class RunningAgent implements NodeAgent {
  readonly registered: Promise<Node>
  readonly health: RuntimeHealth
  readonly events: NodeEvents
  readonly #dependencies: NodeAgentDependencies & { readonly options: NodeOptions }
  readonly #report: NodeReport
  readonly #ranges: PodCidrReporter
  readonly #alarm: WakeableSleep
  readonly #closing = new AbortController()
  readonly #ended: Promise<unknown>
  #informer: Informer<Node> | undefined
  /** The Node as last written. The informer may be behind. */
  #written: Node | undefined
  #isUnschedulable = false
  #reportedAt = Number.NEGATIVE_INFINITY
  /** The inputs of the last report, if that found nothing to write. */
  #unchanged: ReportInputs | undefined

  constructor(
    dependencies: NodeAgentDependencies & { readonly options: NodeOptions },
    { health, events, report }: AgentComponents,
  ) {
    this.#dependencies = dependencies
    this.health = health
    this.events = events
    this.#report = report
    this.#ranges = new PodCidrReporter(dependencies.runtime, dependencies.environment.log)
    this.#alarm = new WakeableSleep(dependencies.environment.clock)
    const { signal } = this.#closing
    const watched = this.#watchRuntime(signal)
    this.registered = this.#register(signal)
    this.#ended = Promise.allSettled([watched, this.registered.then(() => this.#keep(signal))])
  }

  get resources(): NodeResources {
    return this.#report.resources
  }

  node(): Node | undefined {
    const cached = this.#informer?.isSynced ? this.#informer.get(this.#dependencies.identity.nodeName) : undefined
    if (this.#informer?.isSynced && !cached) return undefined
    return isNewer(this.#written, cached) ? this.#written : cached
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the kubelet is shutting down'))
    await this.#ended
  }

  async #watchRuntime(signal: AbortSignal): Promise<void> {
    const { clock } = this.#dependencies.environment
    const startedAt = clock.monotonic()
    let reported: string | undefined
    while (!signal.aborted) {
      await this.health.check(signal)
      const problems = this.health.problems.join()
      if (problems !== reported) this.#alarm.wake()
      reported = problems
      const isEager = this.health.problems.length > 0 && clock.monotonic() - startedAt < eagerFor
      await sleep(clock, isEager ? eagerCheckPeriod : runtimeCheckPeriod, signal).catch(() => {}) // the loop checks the signal
    }
  }

  async #register(signal: AbortSignal): Promise<Node> {
    const { environment, client, identity, options } = this.#dependencies
    const { nodeName } = identity
    await this.#alarm.sleep(firstCheckTimeout, signal)
    const registration = { ...options, nodeName, facts: this.#report.facts }
    const isMade = options.isRegistered ?? true
    const node = await registerNode(
      { environment, client, registration, report: this.#report, createsNode: isMade },
      signal,
    )
    this.#recordWrite(node)
    return node
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const { informers, identity, environment, client, options } = this.#dependencies
    const { nodeName } = identity
    this.#informer = informers.of(Node, { fieldSelector: `metadata.name=${nodeName}` })
    const { leaseDuration: duration } = options
    const lease = new NodeLease({ environment, client, nodeName, node: () => this.node(), duration })
    await Promise.all([lease.run(signal), this.#keepStatus(signal), this.#watchNode(signal)])
  }

  /** Reacts to changes of the Node at once: events, and the pod CIDRs. */
  #watchNode(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#informer!.onChange(({ type, object }) => {
        if (type !== 'deleted') this.#handleChange(object, signal)
      })
      const end = () => {
        stop()
        resolve()
      }
      if (signal.aborted) end()
      else whenAborted(signal, end)
    })
  }

  #handleChange(node: Node, signal: AbortSignal): void {
    void this.#ranges.report(node, signal)
    const { unschedulable = false } = node.spec
    if (unschedulable !== this.#isUnschedulable)
      this.events.statusChanged(unschedulable ? 'NodeNotSchedulable' : 'NodeSchedulable')
    this.#isUnschedulable = unschedulable
  }

  async #keepStatus(signal: AbortSignal): Promise<void> {
    const { environment, options } = this.#dependencies
    while (!signal.aborted) {
      await this.#alarm.sleep((options.statusUpdate ?? 10_000) * (1 + 0.04 * environment.random.float()), signal)
      if (!signal.aborted) await this.#updatePersistently(signal)
    }
  }

  async #updatePersistently(signal: AbortSignal): Promise<void> {
    const { log } = this.#dependencies.environment
    for (let tries = 1; tries <= maxTries && !signal.aborted; tries++) {
      try {
        return await this.#update(tries > 1, signal)
      } catch (error) {
        if (!signal.aborted) log.warn('node status update failed', { error, tries })
      }
    }
  }

  async #update(isReadAgain: boolean, signal: AbortSignal): Promise<void> {
    const { client, identity, environment, options } = this.#dependencies
    const nodes = client.resource(Node)
    const requestOptions = { signal, retries: 0 }
    const known = isReadAgain ? undefined : this.node()
    const node = known ?? (await nodes.get(identity.nodeName, requestOptions))
    const inputs = await this.#report.inputs(node)
    const isDue = environment.clock.monotonic() - this.#reportedAt >= (options.statusReport ?? 300_000)
    if (!isDue && areSameInputs(this.#unchanged, inputs)) return
    this.#unchanged = undefined
    const next = await this.#report.next(node)
    if (!isDue && !hasChanged(node, next)) {
      this.#unchanged = inputs
      return
    }
    const patch = nodePatch(node, next)
    this.#recordWrite(await nodes.subresource('status').patch(identity.nodeName, 'strategic', patch, requestOptions))
  }

  #recordWrite(node: Node): void {
    this.#written = node
    this.#reportedAt = this.#dependencies.environment.clock.monotonic()
  }
}

function isNewer(one: Node | undefined, other: Node | undefined): boolean {
  return Number(one?.metadata.resourceVersion ?? -1) >= Number(other?.metadata.resourceVersion ?? -1)
}

/** Reports the pod CIDRs of the Node to the runtime when they change. */
class PodCidrReporter {
  readonly #runtime: Pick<ContainerRuntime, 'updateRuntimeConfig'>
  readonly #log: Logger
  #reported = ''

  constructor(runtime: Pick<ContainerRuntime, 'updateRuntimeConfig'>, log: Logger) {
    this.#runtime = runtime
    this.#log = log
  }

  async report({ spec }: Node, signal: AbortSignal): Promise<void> {
    const podCidr = (spec.podCIDRs ?? []).join(',')
    if (podCidr === '' || podCidr === this.#reported) return
    try {
      await this.#runtime.updateRuntimeConfig({ runtimeConfig: { networkConfig: { podCidr } } }, { signal })
      this.#reported = podCidr
    } catch (error) {
      if (!signal.aborted) this.#log.warn('runtime config update failed', { podCidr, error })
    }
  }
}
