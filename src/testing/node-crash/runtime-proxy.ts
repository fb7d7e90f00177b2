import type { Environment } from '../../base/environment.js'
import { type CriClient, connectCri } from '../../cri/client.js'
import { CriError } from '../../cri/cri-error.js'
import type { AnyCriMethod, CallContext } from '../../cri/interface/service.js'
import { imageService, type RuntimeImplementation, runtimeService } from '../../cri/interface/services.js'
import { type CriServer, serveCri } from '../../cri/server.js'
import { containerNameLabel, podUidLabel } from '../../kubelet/runtime/labels.js'

/** Those by which anything changes. */
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

/** `unsent`: the runtime never hears of the call. `unheard`: it is carried out, and nobody hears so. */
export type FaultTiming = 'unsent' | 'unheard'

export interface CallFault {
  /** Any of those that change something, unless told. */
  readonly call?: ChangingCall
  /** At which of them it strikes: 1 is the next one. */
  readonly number: number
  readonly timing: FaultTiming
  /** Kills whoever called. */
  readonly onFault: () => void
}

export interface RuntimeProxyOptions {
  readonly environment: Environment
  /** Of the runtime. */
  readonly endpoint: string
  /** Where the proxy listens. */
  readonly socket: string
}

type Call = (request: object, options: { readonly signal?: AbortSignal }) => Promise<object>

/** Stands between a kubelet and its runtime. */
export class RuntimeProxy implements AsyncDisposable {
  readonly #runtime: CriClient
  #server: CriServer | undefined
  #strike: CallFault | undefined
  #seen = 0
  /** From when a fault is awaited until the kubelet is dead, each call is carried out to its end: it strikes between calls. */
  #isWhole = false
  #isShut = false
  readonly #underWay = new Set<Promise<object>>()
  /** Containers that were started while another one of the same name ran in the same pod. */
  readonly duplicates: string[] = []
  /** How often each container was told to start: `uid name`. */
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

  /** What a kubelet is given. */
  get endpoint(): string {
    return this.#server!.endpoint
  }

  /** The runtime itself. */
  get runtime(): CriClient {
    return this.#runtime
  }

  /** Once; from then on nobody passes, until it is opened again. */
  inject(strike: CallFault): void {
    this.#strike = strike
    this.#isWhole = true
    this.#seen = 0
  }

  disarm(): void {
    this.#strike = undefined
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
    this.#refuseIfShut()
    this.calls[name] = (this.calls[name] ?? 0) + 1
    const call = this.#runtime[name as keyof CriClient] as unknown as Call
    const options = this.#isWhole ? {} : { signal }
    const strike = this.#strikes(name)
    if (strike?.timing === 'unsent') this.#carryOut(strike)
    if (name === 'startContainer') await this.#watchForTwins((request as { containerId: string }).containerId)
    this.#refuseIfShut()
    const answer = await this.#follow(call(request, options))
    if (strike) this.#carryOut(strike)
    this.#refuseIfShut()
    return answer
  }

  /** Resolves when the runtime does nothing more of what a dead kubelet asked for. */
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

  #refuseIfShut(): void {
    if (this.#isShut) throw new CriError('Unavailable', 'the proxy is shut')
  }

  #strikes(name: string): CallFault | undefined {
    const strike = this.#strike
    if (!strike || !changingCalls.includes(name as ChangingCall)) return undefined
    if (strike.call !== undefined && strike.call !== name) return undefined
    if (++this.#seen < strike.number) return undefined
    this.#strike = undefined
    return strike
  }

  #carryOut({ onFault: act }: CallFault): void {
    this.shut()
    act()
    this.#refuseIfShut()
  }

  async #watchForTwins(containerId: string): Promise<void> {
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
