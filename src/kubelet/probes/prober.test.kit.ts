import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { environment } from '../../base/environment.js'
import { metrics } from '../../base/metrics.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import type { Occurrence } from '../../client/events/event-recorder.js'
import { inProcessRuntime } from '../../cri/in-process.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { simulatedRuntime } from '../../cri/simulated/simulated-runtime.js'
import type { ObservedContainer, ObservedPod } from '../runtime/observed-pod.js'
import { prober } from './pod-prober.js'
import type { ProbeActions } from './probe-actions.js'
import { probeSuccess } from './probe-result.js'
import type { Prober } from './prober.js'

export type Reply = { readonly exitCode?: number; readonly stdout?: string; readonly takes?: string }

/** One pod with one container on a simulated runtime and a virtual clock. Syncs run only on request. */
export class ProbeHarness {
  readonly clock = new VirtualClock()
  readonly environment = environment({ clock: this.clock, random: seededRandom(7) })
  readonly metrics = metrics()
  readonly events: Occurrence[] = []
  /** When each command ran, in seconds since the start, and in which container. */
  readonly asked: { readonly at: number; readonly command: string; readonly id: string }[] = []
  /** When a sync was requested, in seconds. */
  readonly looks: number[] = []
  readonly pod: Pod
  runtime!: ContainerRuntime
  prober!: Prober
  containerId = ''
  #sandboxId = ''
  #attempt = 0
  #actions: ProbeActions | undefined

  private constructor(container: Partial<Container>, spec: Partial<Pod['spec']> = {}) {
    const containers = [{ name: 'c', image: 'web', ...container }]
    const metadata = { name: 'p', namespace: 'default', uid: 'u' }
    this.pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers, ...spec }, status: {} } as unknown as Pod
  }

  static async start(
    container: Partial<Container>,
    replies: Readonly<Record<string, Reply>> = {},
    { spec, actions }: { readonly spec?: Partial<Pod['spec']>; readonly actions?: ProbeActions } = {},
  ): Promise<ProbeHarness> {
    const harness = new ProbeHarness(container, spec)
    harness.#actions = actions
    await harness.#open(replies)
    harness.restartKubelet()
    return harness
  }

  async #open(replies: Readonly<Record<string, Reply>>): Promise<void> {
    const simulated = await simulatedRuntime({ environment: this.environment, writeLogs: false })
    const { execSync } = simulated
    const watched: typeof execSync = (request, context) => {
      this.asked.push({ at: this.seconds, command: request.cmd.join(' '), id: request.containerId })
      return execSync!(request, context)
    }
    this.runtime = inProcessRuntime({ ...simulated, execSync: watched }, { environment: this.environment })
    const exec = Object.entries(replies).map(([command, reply]) => ({ command, ...reply }))
    const annotations = { 'simulation.proa.dev/c': JSON.stringify({ exec }) }
    const metadata = { name: 'p', namespace: 'default', uid: 'u' }
    await this.runtime.pullImage({ image: { image: 'web' } })
    this.#sandboxId = (await this.runtime.runPodSandbox({ config: { metadata, annotations } })).podSandboxId
  }

  get seconds(): number {
    return this.clock.monotonic() / 1000
  }

  /** Drops the prober and its state. */
  restartKubelet(): void {
    this.prober?.close()
    this.prober = prober({
      environment: this.environment,
      runtime: this.runtime,
      events: { record: (event) => void this.events.push(event) },
      identity: { hostAddresses: ['192.0.2.1'] },
      changed: () => {
        this.looks.push(this.seconds)
        void this.look()
      },
      metrics: this.metrics,
      actions: this.#actions ?? {
        http: async () => probeSuccess(),
        tcp: async () => probeSuccess(),
        grpc: async () => probeSuccess(),
      },
    })
  }

  async startContainer(): Promise<void> {
    const config = { metadata: { name: 'c', attempt: this.#attempt++ }, image: { image: 'web' } }
    const created = await this.runtime.createContainer({ podSandboxId: this.#sandboxId, config })
    this.containerId = created.containerId
    await this.runtime.startContainer({ containerId: this.containerId })
    await this.look()
  }

  async stopContainer(): Promise<void> {
    await this.runtime.stopContainer({ containerId: this.containerId })
    await this.look()
  }

  async look(pod: Pod = this.pod): Promise<void> {
    this.prober.updatePod(pod, await this.observed())
  }

  async observed(): Promise<ObservedPod> {
    const { containers } = await this.runtime.listContainers({})
    const seen = await Promise.all(containers.map(async ({ id }) => this.#seen(id)))
    const ip = (await this.runtime.podSandboxStatus({ podSandboxId: this.#sandboxId })).status?.network?.ip ?? ''
    const sandbox = {
      id: this.#sandboxId,
      state: 'ready',
      attempt: 0,
      createdAt: 0,
      addresses: [ip],
      hasHostNetwork: false,
    }
    const newestFirst = seen.sort((a, b) => b.restartCount - a.restartCount)
    return { uid: 'u', name: 'p', namespace: 'default', sandboxes: [sandbox], containers: newestFirst } as ObservedPod
  }

  async #seen(id: string): Promise<ObservedContainer> {
    const { status } = await this.runtime.containerStatus({ containerId: id })
    const state = status!.state === 'CONTAINER_RUNNING' ? 'running' : 'exited'
    const startedAt = Number(status!.startedAt / 1_000_000n)
    return { id, name: 'c', state, startedAt, restartCount: status!.metadata!.attempt } as ObservedContainer
  }

  messages(): readonly string[] {
    return this.events.map(({ reason, message }) => `${reason}: ${message}`)
  }

  results(): readonly (boolean | undefined)[] {
    const { prober, containerId } = this
    return [prober.startup(containerId), prober.readiness(containerId), prober.liveness(containerId)]
  }
}
