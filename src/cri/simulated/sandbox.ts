import type { PartialMessage } from '../interface/message.js'
import type { PodSandbox, PodSandboxState, PodSandboxStatus } from '../interface/sandbox.js'
import type { PodSandboxConfig } from '../interface/sandbox-config.js'

export interface SandboxOptions {
  readonly id: string
  readonly config: PodSandboxConfig
  readonly runtimeHandler: string
  readonly createdAt: bigint
  /** Undefined for a pod on the host network. */
  readonly address: string | undefined
}

/** The sandbox of a simulated pod. */
export class SimulatedSandbox {
  readonly #options: SandboxOptions
  #state: PodSandboxState = 'SANDBOX_READY'
  #address: string | undefined

  constructor(options: SandboxOptions) {
    this.#options = options
    this.#address = options.address
  }

  get id(): string {
    return this.#options.id
  }

  get config(): PodSandboxConfig {
    return this.#options.config
  }

  get ready(): boolean {
    return this.#state === 'SANDBOX_READY'
  }

  /** Unique per sandbox. */
  get name(): string {
    return sandboxName(this.config)
  }

  /** Returns the address that it releases. */
  stop(): string | undefined {
    const address = this.#address
    this.#address = undefined
    this.#state = 'SANDBOX_NOTREADY'
    return address
  }

  summary(): PartialMessage<PodSandbox> {
    const { id, config, runtimeHandler, createdAt } = this.#options
    const { metadata, labels, annotations } = config
    return { id, metadata, state: this.#state, createdAt, labels, annotations, runtimeHandler }
  }

  status(): PartialMessage<PodSandboxStatus> {
    const options = this.config.linux?.securityContext?.namespaceOptions
    return {
      ...this.summary(),
      network: this.#address === undefined ? {} : { ip: this.#address },
      linux: { namespaces: { options: options ?? {} } },
    }
  }
}

export function sandboxName({ metadata }: PodSandboxConfig): string {
  const { name = '', namespace = '', uid = '', attempt = 0 } = metadata ?? {}
  return [name, namespace, uid, attempt].join('_')
}
