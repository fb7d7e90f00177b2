import type { PartialMessage } from '../interface/message.js'
import type { PodSandbox, PodSandboxState, PodSandboxStatus } from '../interface/sandbox.js'
import type { PodSandboxConfig } from '../interface/sandbox-config.js'

export interface SandboxOptions {
  readonly id: string
  readonly config: PodSandboxConfig
  readonly runtimeHandler: string
  readonly createdAt: bigint
  /** None for a pod on the node's own network. */
  readonly address: string | undefined
}

/** What the containers of one simulated pod share. */
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

  /** By which a runtime tells pods apart: no two sandboxes have the same. */
  get name(): string {
    return sandboxName(this.config)
  }

  /** Gives the address that is free now. */
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
