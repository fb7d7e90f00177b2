import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PodStatus } from '../api/core/v1/pod/status.js'
import { Pod } from '../api/core/v1/pod.js'
import { hasReason } from '../api/errors.js'
import type { Client } from '../client/client.js'
import type { EventRecorder, Occurrence } from '../client/events/event-recorder.js'
import type { ContainerRuntime } from '../cri/interface/services.js'
import type { PodCgroups } from './cgroups/pod-cgroups.js'
import type { ContainerConfigs } from './containers/container-configs.js'
import { ContainerError } from './containers/container-error.js'
import type { HookRequest, Hooks } from './hooks/hooks.js'
import type { Images } from './images/images.js'
import type { NodeIdentity } from './node/node-identity.js'
import { podLogsFolder } from './pods/pod-folders.js'
import type { Prober } from './probes/prober.js'
import { containerAnnotations, containerLabels, sandboxAnnotations, sandboxLabels } from './runtime/labels.js'
import { isStaticPod } from './static/pod-source.js'
import type { MirrorPods, StaticPods } from './static/static-pods.js'
import type { StatusManager } from './status/status-manager.js'
import { VolumeSetupError, type Volumes } from './volumes/volumes.js'

/** The state of a node that outlives a kubelet, besides the runtime: stands in for disk and kernel. */
export class FakeNodeState {
  readonly volumes = new Set<string>()
  readonly cgroups = new Set<string>()
  /** Errors of volumes that cannot be set up, by pod name. */
  readonly badVolumes = new Map<string, string>()
}

export function testVolumes({ volumes, badVolumes }: FakeNodeState): Volumes {
  return {
    async ensure({ metadata }) {
      const problem = badVolumes.get(metadata.name!)
      if (problem) throw new VolumeSetupError('v', problem)
      volumes.add(metadata.uid!)
      return new Map()
    },
    async remove(uid) {
      volumes.delete(uid)
    },
    known: async () => [...volumes],
  }
}

export function testCgroups({ cgroups }: FakeNodeState): PodCgroups {
  return {
    async ensure({ metadata }) {
      cgroups.add(metadata.uid!)
      return `/kubepods/pod${metadata.uid}`
    },
    async remove(uid) {
      cgroups.delete(uid)
    },
    known: async () => [...cgroups],
  }
}

/** Pulls missing images, without any policy. */
export function testImages(runtime: ContainerRuntime): Images {
  return {
    async ensure({ container: { image = '' } }) {
      try {
        const there = await runtime.imageStatus({ image: { image } })
        const ref = there.image?.id ?? (await runtime.pullImage({ image: { image } })).imageRef
        return { ref, uid: undefined, username: '' }
      } catch (error) {
        throw new ContainerError('ErrImagePull', (error as Error).message)
      }
    },
  }
}

/** The part of a configuration that a simulated runtime reads. */
export function testConfigs(identity: NodeIdentity): ContainerConfigs {
  return {
    async sandbox(pod, attempt) {
      const { name = '', namespace = '', uid = '' } = pod.metadata
      const logDirectory = podLogsFolder(identity, pod)
      mkdirSync(logDirectory, { recursive: true })
      const network = pod.spec.hostNetwork ? 'NODE' : 'POD'
      return {
        metadata: { name, namespace, uid, attempt },
        logDirectory,
        labels: sandboxLabels(pod),
        annotations: sandboxAnnotations(pod),
        linux: { securityContext: { namespaceOptions: { network } } },
      }
    },
    async container({ pod, container, restartCount, image }) {
      mkdirSync(join(podLogsFolder(identity, pod), container.name), { recursive: true })
      return {
        metadata: { name: container.name, attempt: restartCount },
        image: { image: image.ref },
        labels: containerLabels(pod, container),
        annotations: containerAnnotations(pod, container, restartCount),
        logPath: `${container.name}/${restartCount}.log`,
      }
    },
  }
}

/** Records hooks. They succeed at once by default. */
export class TestHooks implements Hooks {
  readonly ran: string[] = []
  play: (hook: HookRequest) => Promise<void> = async () => {}

  run(hook: HookRequest): Promise<void> {
    this.ran.push(hook.container.name)
    return this.play(hook)
  }
}

/** Returns the configured results by container name. Defaults to healthy. */
export class TestProber implements Prober {
  readonly bad = { readiness: new Set<string>(), startup: new Set<string>(), liveness: new Set<string>() }
  readonly unknown = new Set<string>()
  readonly #names = new Map<string, string>()

  updatePod(_: Pod, { containers }: Parameters<Prober['updatePod']>[1]): void {
    for (const { id, name } of containers) this.#names.set(id, name)
  }

  stopLivenessAndStartup(): void {}
  removePod(): void {}
  close(): void {}

  readiness(id: string): boolean | undefined {
    return !this.bad.readiness.has(this.#names.get(id) ?? '')
  }

  startup(id: string): boolean | undefined {
    const name = this.#names.get(id) ?? ''
    return this.unknown.has(name) ? undefined : !this.bad.startup.has(name)
  }

  liveness(id: string): boolean | undefined {
    return !this.bad.liveness.has(this.#names.get(id) ?? '')
  }
}

export class TestEvents implements EventRecorder {
  readonly told: string[] = []

  record({ about, fieldPath = '', reason, message }: Occurrence): void {
    this.told.push(`${about.metadata.name} ${fieldPath} ${reason}: ${message}`.replace('  ', ' '))
  }
}

/** Writes each status at once, in order. */
export class TestStatuses implements StatusManager {
  readonly #client: Client
  readonly #statuses = new Map<string, PodStatus>()
  #last: Promise<unknown> = Promise.resolve()
  readonly problems: unknown[] = []

  constructor(client: Client) {
    this.#client = client
  }

  get(uid: string): PodStatus | undefined {
    return this.#statuses.get(uid)
  }

  set(pod: Pod, status: PodStatus): void {
    const isTold = JSON.stringify(this.#statuses.get(pod.metadata.uid!)) === JSON.stringify(status)
    if (isTold && !isStaticPod(pod)) return // another mirror pod may represent the static pod now
    this.#statuses.set(pod.metadata.uid!, status)
    this.#then(() =>
      this.#pods(pod)
        .subresource('status')
        .patch(pod.metadata.name!, 'merge', { ...only(pod), status }),
    )
  }

  finish(pod: Pod): void {
    if (pod.metadata.deletionTimestamp === undefined) return
    const { uid } = pod.metadata
    this.#then(() =>
      this.#pods(pod).delete(pod.metadata.name!, { gracePeriodSeconds: 0, preconditions: { uid: uid! } }),
    )
  }

  forget(uid: string): void {
    this.#statuses.delete(uid)
  }

  async close(): Promise<void> {
    await this.#last
  }

  #pods({ metadata }: Pod) {
    return this.#client.resource(Pod).in(metadata.namespace!)
  }

  #then(work: () => Promise<unknown>): void {
    this.#last = this.#last.then(work).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound') && !hasReason(error, 'Conflict')) this.problems.push(error)
    })
  }
}

/** Precondition for this pod only, except for static pods, whose mirror has another uid. */
function only(pod: Pod) {
  return isStaticPod(pod) ? {} : { metadata: { uid: pod.metadata.uid! } }
}

export class TestStaticPods implements StaticPods, MirrorPods {
  readonly synced = Promise.resolve()
  readonly mirrored: string[] = []
  readonly #client: Client
  readonly #listeners = new Set<() => void>()
  #pods: readonly Pod[] = []

  constructor(client: Client) {
    this.#client = client
  }

  set(...pods: readonly Pod[]): void {
    this.#pods = pods
    for (const listener of this.#listeners) listener()
  }

  list(): readonly Pod[] {
    return this.#pods
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {}

  async ensure({ metadata, spec }: Pod, mirror: Pod | undefined): Promise<void> {
    if (mirror) return
    const { name, namespace, annotations, uid } = metadata
    const shown = {
      name: name!,
      namespace: namespace!,
      annotations: { ...annotations, 'kubernetes.io/config.mirror': uid! },
    }
    this.mirrored.push(name!)
    await this.#client
      .resource(Pod)
      .in(namespace!)
      .create({ metadata: shown, spec })
      .catch((error: unknown) => {
        if (!hasReason(error, 'AlreadyExists')) throw error
      })
  }

  async remove({ metadata: { name, namespace } }: Pod): Promise<void> {
    await this.#client.resource(Pod).in(namespace!).delete(name!, { gracePeriodSeconds: 0 })
  }
}
