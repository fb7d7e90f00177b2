import type { Environment } from '../../base/environment.js'
import { type CriClient, connectCri } from '../../cri/client.js'
import { CriError } from '../../cri/cri-error.js'
import type { AnyCriMethod, CallContext } from '../../cri/interface/service.js'
import { imageService, type RuntimeImplementation, runtimeService } from '../../cri/interface/services.js'
import { type CriServer, serveCri } from '../../cri/server.js'
import { containerNameLabel, podUidLabel } from '../../kubelet/runtime/labels.js'

/** The calls that change something. */
export const changingCalls = [
  'runPodSandbox',
  'createContainer',
  'startContainer',
  'stopContainer',
  'removeContainer',
  'stopPodSandbox',
  'removePodSandbox',
] as const

export type ChangingCall = (typeof changingCalls)[number]

/** `unsent`: the call does not reach the runtime. `unheard`: the runtime carries it out, and the response is lost. */
export type FaultTiming = 'unsent' | 'unheard'

export interface CallFault {
  /** Default: any call that changes something. */
  readonly call?: ChangingCall
  /** The number of the call, counted from now: 1 is the next one. */
  readonly number: number
  readonly timing: FaultTiming
  /** Kills the caller. */
  readonly onFault: () => void
}

export interface RuntimeProxyOptions {
  readonly environment: Environment
  /** The endpoint of the runtime. */
  readonly endpoint: string
  /** The socket of the proxy. */
  readonly socket: string
}

type Call = (request: object, options: { readonly signal?: AbortSignal }) => Promise<object>

/** A CRI proxy between a kubelet and its runtime, which injects faults and finds containers that were started twice. */
export class RuntimeProxy implements AsyncDisposable {
  readonly #runtime: CriClient
  #server: CriServer | undefined
  #fault: CallFault | undefined
  #seen = 0
  /** While a fault is armed, calls are not cancelled with the kubelet: the fault hits between calls. */
  #isWhole = false
  #isShut = false
  readonly #underWay = new Set<Promise<object>>()
  /** Containers that were started while another one with the same name was running in the same pod. */
  readonly duplicates: string[] = []
  /** The number of starts of each container, by `uid name`. */
  readonly starts = new Map<string, number>()
  readonly calls: Record<string, number> = {}

  private constructor({ endpoint, environment }: RuntimeProxyOptions) {
    this.#runtime = connectCri({ endpoint, environment })
  }

  static async open(options: RuntimeProxyOptions): Promise<RuntimeProxy> {
    const proxy = new RuntimeProxy(options)
    proxy.#server = await serveCri(proxy.#implementation(), options.socket)
    return proxy
  }

  /** The endpoint for the kubelet. */
  get endpoint(): string {
    return this.#server!.endpoint
  }

  /** The runtime itself. */
  get runtime(): CriClient {
    return this.#runtime
  }

  /** Arms one fault. After it, the proxy rejects all calls until it is reopened. */
  inject(fault: CallFault): void {
    this.#fault = fault
    this.#isWhole = true
    this.#seen = 0
  }

  disarm(): void {
    this.#fault = undefined
    this.#isWhole = false
  }

  shut(): void {
    this.#isShut = true
  }

  reopen(): void {
    this.#isShut = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.close()
    this.#runtime.close()
  }

  #implementation(): RuntimeImplementation {
    const methods = { ...runtimeService.methods, ...imageService.methods } as unknown as Record<string, AnyCriMethod>
    const passing = Object.entries(methods).flatMap(([name, { kind }]) => {
      if (kind === 'stream') return [] // what containerd 1.6 does not have either
      return [[name, (request: object, context: CallContext) => this.#pass(name, request, context)]]
    })
    return Object.fromEntries(passing) as RuntimeImplementation
  }

  async #pass(name: string, request: object, { signal }: CallContext): Promise<object> {
    this.#rejectIfShut()
    this.calls[name] = (this.calls[name] ?? 0) + 1
    const call = this.#runtime[name as keyof CriClient] as unknown as Call
    const options = this.#isWhole ? {} : { signal }
    const fault = this.#faultFor(name)
    if (fault?.timing === 'unsent') this.#carryOut(fault)
    if (name === 'startContainer') await this.#checkDuplicates((request as { containerId: string }).containerId)
    this.#rejectIfShut()
    const answer = await this.#follow(call(request, options))
    if (fault) this.#carryOut(fault)
    this.#rejectIfShut()
    return answer
  }

  /** Resolves when the runtime has finished all calls of the killed kubelet. */
  async untilIdle(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }

  async #follow(answer: Promise<object>): Promise<object> {
    this.#underWay.add(answer)
    try {
      return await answer
    } finally {
      this.#underWay.delete(answer)
    }
  }

  #rejectIfShut(): void {
    if (this.#isShut) throw new CriError('Unavailable', 'the proxy is shut')
  }

  #faultFor(name: string): CallFault | undefined {
    const fault = this.#fault
    if (!fault || !changingCalls.includes(name as ChangingCall)) return undefined
    if (fault.call !== undefined && fault.call !== name) return undefined
    if (++this.#seen < fault.number) return undefined
    this.#fault = undefined
    return fault
  }

  #carryOut({ onFault: act }: CallFault): void {
    this.shut()
    act()
    this.#rejectIfShut()
  }

  async #checkDuplicates(containerId: string): Promise<void> {
    const { status } = await this.#runtime.containerStatus({ containerId })
    const { [podUidLabel]: uid = '', [containerNameLabel]: name = '' } = status?.labels ?? {}
    const key = `${uid} ${name}`
    this.starts.set(key, (this.starts.get(key) ?? 0) + 1)
    const labelSelector = { [podUidLabel]: uid, [containerNameLabel]: name }
    const state = { state: 'CONTAINER_RUNNING' as const }
    const { containers } = await this.#runtime.listContainers({ filter: { labelSelector, state } })
    if (containers.length > 0) this.duplicates.push(key)
  }
}
