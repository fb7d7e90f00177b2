import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ContainerConfig } from '../src/cri/interface/container.js'
import type { PartialMessage } from '../src/cri/interface/message.js'
import type { PodSandboxConfig } from '../src/cri/interface/sandbox-config.js'
import type { ContainerRuntime } from '../src/cri/interface/services.js'
import type { ContainerHarness } from '../src/testing/containers/container-harness.js'

interface Span {
  readonly from: number
  readonly to: number
}

/** Records the calls of a kubelet to its runtime, with their times. */
export class CallLog {
  readonly #spans: Span[] = []
  #model: Partial<RecordedPod> = {}
  readonly counts = new Map<string, number>()
  /** Milliseconds spent in calls, by name. */
  readonly times = new Map<string, number>()

  readonly between = (runtime: ContainerRuntime): ContainerRuntime =>
    new Proxy(runtime, {
      get: (target, name: keyof ContainerRuntime & string) => {
        const call = target[name] as (request: object, options?: object) => Promise<unknown>
        if (typeof call !== 'function' || name === 'getContainerEvents') return call
        return async (request: object, options?: object) => {
          this.#learn(name, request)
          const from = performance.now()
          try {
            return await call(request, options)
          } finally {
            this.#note(name, { from, to: performance.now() }, request)
          }
        }
      },
    })

  /** Of the last pod. */
  get model(): RecordedPod {
    const { sandbox, container } = this.#model
    if (!sandbox || !container) throw new Error('there was no pod yet')
    return { sandbox, container }
  }

  reset(): void {
    this.#spans.length = 0
    this.counts.clear()
    this.times.clear()
  }

  /** Milliseconds of a time span in which no recorded call was running. */
  outside({ from, to }: Span): number {
    let [covered, end] = [0, from]
    for (const span of this.#spans.toSorted((one, other) => one.from - other.from)) {
      const [first, last] = [Math.max(span.from, end), Math.min(span.to, to)]
      if (last <= first) continue
      covered += last - first
      end = last
    }
    return to - from - covered
  }

  #learn(name: string, request: { readonly config?: object }): void {
    if (name === 'runPodSandbox') this.#model = { sandbox: request.config as RecordedPod['sandbox'] }
    if (name === 'createContainer')
      this.#model = { ...this.#model, container: request.config as RecordedPod['container'] }
  }

  #note(name: string, span: Span, request: object): void {
    if (/^list/.test(name) && !('filter' in request)) return
    this.#spans.push(span)
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    this.times.set(name, (this.times.get(name) ?? 0) + span.to - span.from)
  }
}

export const image = 'localhost/proa/busybox:1'
export const command = ['sh', '-c', 'trap "exit 0" TERM; sleep 100000 & wait']

/** The configurations that a kubelet sent to the runtime for a pod with one container. */
export interface RecordedPod {
  readonly sandbox: PartialMessage<PodSandboxConfig>
  readonly container: PartialMessage<ContainerConfig>
}

/** Creates pods like one of a kubelet with the same calls, but without a kubelet. */
export class DirectPods {
  readonly #runtime: ContainerRuntime
  readonly #world: ContainerHarness
  readonly #model: RecordedPod

  constructor(runtime: ContainerRuntime, world: ContainerHarness, model: RecordedPod) {
    this.#runtime = runtime
    this.#world = world
    this.#model = model
  }

  /** Starts `count` pods at once. Resolves with the milliseconds until all run, and removes them afterwards. */
  async run(count: number): Promise<number> {
    const configs = Array.from({ length: count }, (_, i) => this.#config(`direct-${i}`))
    const begun = performance.now()
    const ends = await Promise.all(configs.map((config) => this.#one(config)))
    const took = performance.now() - begun
    await Promise.all(ends.map((end) => end()))
    return took
  }

  /** Removes the labels of a kubelet's pod, because the kubelet would find the pod and stop it. */
  #config(name: string): PartialMessage<PodSandboxConfig> {
    const { sandbox } = this.#model
    const logDirectory = join(this.#world.folder, 'direct', name)
    mkdirSync(join(logDirectory, 'main'), { recursive: true })
    // A sibling of the recorded pod's cgroup: the same QoS class and the same CPU priority.
    const cgroupParent = join(dirname(sandbox.linux?.cgroupParent ?? '/'), name)
    const metadata = { name, namespace: 'direct' }
    return { ...sandbox, metadata, labels: {}, logDirectory, linux: { ...sandbox.linux, cgroupParent } }
  }

  async #one(config: PartialMessage<PodSandboxConfig>): Promise<() => Promise<void>> {
    const runtime = this.#runtime
    const { podSandboxId } = await runtime.runPodSandbox({ config })
    await runtime.podSandboxStatus({ podSandboxId })
    await runtime.imageStatus({ image: { image } })
    const container = { ...this.#model.container, labels: {} }
    const { containerId } = await runtime.createContainer({ podSandboxId, config: container, sandboxConfig: config })
    await runtime.startContainer({ containerId })
    await runtime.containerStatus({ containerId })
    return async () => {
      await runtime.stopContainer({ containerId, timeout: 5 })
      await runtime.stopPodSandbox({ podSandboxId })
      await runtime.removePodSandbox({ podSandboxId })
    }
  }
}
