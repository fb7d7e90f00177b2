import { Buffer } from 'node:buffer'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { CriError } from '../cri-error.js'
import type { CreateContainerRequest } from '../interface/container.js'
import type { ContainerEventResponse, ContainerEventType } from '../interface/events.js'
import type { PartialMessage } from '../interface/message.js'
import type { RunPodSandboxRequest } from '../interface/sandbox.js'
import { PodSandboxConfig } from '../interface/sandbox-config.js'
import { AddressPool } from './address-pool.js'
import { SimulatedContainer } from './container.js'
import { EventFeed } from './event-feed.js'
import type { ImageStore } from './image-store.js'
import { RecordsById } from './records.js'
import { SimulatedSandbox, sandboxName } from './sandbox.js'
import type { SimulationScenario } from './scenario.js'
import type { SimulatedTime } from './simulated-time.js'

export interface PodsOptions {
  readonly environment: Environment
  readonly scenario: SimulationScenario
  readonly images: ImageStore
  readonly time: SimulatedTime
  readonly podRange: string
  readonly runtimeHandlers: readonly string[]
  readonly writeLogs: boolean
}

/** The sandboxes and containers of a simulated node, and their events. */
export class SimulatedPods {
  readonly sandboxes = new RecordsById<SimulatedSandbox>('sandbox')
  readonly containers = new RecordsById<SimulatedContainer>('container')
  readonly events = new EventFeed<PartialMessage<ContainerEventResponse>>()
  readonly #options: PodsOptions
  /** Reserved names with the id of their owner, also of sandboxes and containers that are not created yet. */
  readonly #names = new Map<string, string>()
  readonly #failures = new Map<string, number>()
  #addresses: AddressPool

  constructor(options: PodsOptions) {
    this.#options = options
    this.#addresses = new AddressPool(options.podRange)
  }

  /** Existing sandboxes keep their addresses. */
  setPodRange(range: string): void {
    this.#addresses = new AddressPool(range)
  }

  async runSandbox({ config = PodSandboxConfig.complete({}), runtimeHandler }: RunPodSandboxRequest): Promise<string> {
    if (!config.metadata) throw new CriError('Unknown', 'sandbox config must include metadata')
    if (!this.#options.runtimeHandlers.includes(runtimeHandler))
      throw new CriError('Unknown', `failed to get sandbox runtime: no runtime for "${runtimeHandler}" is configured`)
    const id = this.#newId()
    const name = this.#reserve('sandbox', sandboxName(config), id)
    try {
      await this.#simulateStart(config)
      const address = isOnNodeNetwork(config) ? undefined : this.#addresses.take()
      const createdAt = this.#options.time.next()
      this.sandboxes.add(new SimulatedSandbox({ id, config, runtimeHandler, createdAt, address }))
    } catch (error) {
      this.#names.delete(name)
      throw error
    }
    this.#publish(id, 'CONTAINER_CREATED_EVENT', id)
    this.#publish(id, 'CONTAINER_STARTED_EVENT', id)
    return id
  }

  /** Kills its containers. Does nothing if the sandbox is stopped or unknown. */
  stopSandbox(id: string): void {
    const sandbox = this.sandboxes.find(id)
    if (!sandbox) return
    for (const container of this.containersOf(sandbox.id)) container.kill()
    const wasReady = sandbox.ready
    const address = sandbox.stop()
    if (address !== undefined) this.#addresses.release(address)
    if (wasReady) this.#publish(sandbox.id, 'CONTAINER_STOPPED_EVENT', sandbox.id)
  }

  removeSandbox(id: string): void {
    const sandbox = this.sandboxes.find(id)
    if (!sandbox) return
    this.stopSandbox(sandbox.id)
    for (const container of this.containersOf(sandbox.id)) this.removeContainer(container.id)
    this.#names.delete(`sandbox ${sandbox.name}`)
    this.#publish(sandbox.id, 'CONTAINER_DELETED_EVENT', sandbox.id)
    this.sandboxes.delete(sandbox.id)
  }

  async createContainer({ podSandboxId, config, sandboxConfig }: CreateContainerRequest): Promise<string> {
    const sandbox = this.sandboxes.get(podSandboxId)
    if (!config?.metadata) throw new CriError('Unknown', 'container config must include metadata')
    if (!sandbox.ready) throw new CriError('Unknown', `sandbox container "${sandbox.id}" is not running`)
    const { scenario, images, environment, time, writeLogs } = this.#options
    const imageName = config.image?.image ?? ''
    const image = images.find(imageName)
    if (!image) throw new CriError('NotFound', `failed to resolve image "${imageName}": not found`)
    const id = this.#newId()
    const { name, attempt } = config.metadata
    const reserved = this.#reserve('container', [name, sandbox.name, attempt].join('_'), id)
    try {
      const behaviour = await scenario.container(sandboxConfig ?? sandbox.config, config)
      if (behaviour.createError !== undefined) throw new CriError('Unknown', behaviour.createError)
      const logFolder = writeLogs ? sandbox.config.logDirectory || undefined : undefined
      const onExit = () => this.#publish(id, 'CONTAINER_STOPPED_EVENT', sandbox.id)
      const { clock } = environment
      const options = { id, sandboxId: sandbox.id, config, behaviour, image, logFolder, clock, time, onExit }
      this.containers.add(new SimulatedContainer(options))
    } catch (error) {
      this.#names.delete(reserved)
      throw error
    }
    this.#publish(id, 'CONTAINER_CREATED_EVENT', sandbox.id)
    return id
  }

  async startContainer(id: string): Promise<void> {
    const container = this.containers.get(id)
    if (!this.sandboxes.get(container.sandboxId).ready)
      throw new CriError('Unknown', `sandbox container "${container.sandboxId}" is not running`)
    await container.start()
    this.#publish(container.id, 'CONTAINER_STARTED_EVENT', container.sandboxId)
  }

  /** Kills a running container first. */
  removeContainer(id: string): void {
    const container = this.containers.find(id)
    if (!container) return
    container.kill()
    this.#publish(container.id, 'CONTAINER_DELETED_EVENT', container.sandboxId)
    this.containers.delete(container.id)
    for (const [name, owner] of this.#names) if (owner === container.id) this.#names.delete(name)
  }

  containersOf(sandboxId: string): SimulatedContainer[] {
    return this.containers.all().filter((container) => container.sandboxId === sandboxId)
  }

  async #simulateStart(config: PodSandboxConfig): Promise<void> {
    const { scenario, environment } = this.#options
    const { delay, error, failures = Number.POSITIVE_INFINITY } = await scenario.sandbox(config)
    if (delay !== undefined) await sleep(environment.clock, delay)
    const uid = config.metadata?.uid ?? ''
    const failedAttempts = this.#failures.get(uid) ?? 0
    if (error === undefined || failedAttempts >= failures) return
    this.#failures.set(uid, failedAttempts + 1)
    throw new CriError('Unknown', error)
  }

  #reserve(noun: string, name: string, id: string): string {
    const key = `${noun} ${name}`
    const owner = this.#names.get(key)
    if (owner)
      throw new CriError(
        'Unknown',
        `failed to reserve ${noun} name "${name}": name "${name}" is reserved for "${owner}"`,
      )
    this.#names.set(key, id)
    return key
  }

  #publish(containerId: string, containerEventType: ContainerEventType, sandboxId: string): void {
    if (this.events.listenerCount === 0) return
    this.events.publish({
      containerId,
      containerEventType,
      createdAt: this.#options.time.now(),
      podSandboxStatus: this.sandboxes.find(sandboxId)?.status(),
      containersStatuses: this.containersOf(sandboxId).map((container) => container.status()),
    })
  }

  #newId(): string {
    return Buffer.from(this.#options.environment.random.bytes(32)).toString('hex')
  }
}

function isOnNodeNetwork({ linux }: PodSandboxConfig): boolean {
  return linux?.securityContext?.namespaceOptions?.network === 'NODE'
}
