import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { EtcdCertificates } from './etcd-certificates.js'

export interface EtcdMemberOptions {
  readonly name: string
  readonly program: string
  /** Holds the data of all members. */
  readonly folder: string
  readonly address: string
  readonly clientPort: number
  readonly peerPort: number
  readonly statusPort: number
  /** The members and where they meet, as etcd's flag has it. */
  readonly peers: string
  readonly certificates: EtcdCertificates | undefined
  readonly flags: readonly string[]
}

/** One process of etcd. Its data outlives it: a member that was killed can be started again. */
export class EtcdMember {
  readonly #options: EtcdMemberOptions
  #process: ChildProcess | undefined
  #output = ''

  constructor(options: EtcdMemberOptions) {
    this.#options = options
  }

  get clientUrl(): string {
    const { address, clientPort, certificates } = this.#options
    return `${certificates ? 'https' : 'http'}://${address}:${clientPort}`
  }

  /** Resolves when the member is there and knows of a leader. */
  async start(): Promise<void> {
    await this.launch()
    await this.untilHealthy()
  }

  async untilHealthy(): Promise<void> {
    while (!(await this.isHealthy())) {
      if (this.#process?.exitCode !== null) throw new Error(`etcd ended: ${this.#output}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** Starts the process and does not wait for it. */
  async launch(): Promise<void> {
    // Should the test process die without a word, its members go with it.
    const argv = ['--pdeathsig', 'KILL', this.#options.program, ...this.#flags()]
    const child = spawn('setpriv', argv, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#process = child
    this.#output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data) => {
        this.#output = (this.#output + data).slice(-4000)
      })
    await once(child, 'spawn')
  }

  killNow(): void {
    this.#process?.kill('SIGKILL')
  }

  /** As a power failure of the process: no goodbye to anyone. */
  async kill(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** Holds the process: its connections stay, and it answers nothing. */
  pause(): void {
    this.#process?.kill('SIGSTOP')
  }

  resume(): void {
    this.#process?.kill('SIGCONT')
  }

  async isHealthy(): Promise<boolean> {
    return (await this.#status('health'))?.includes('"true"') ?? false
  }

  async isLeader(): Promise<boolean> {
    return (await this.#status('metrics'))?.includes('\netcd_server_is_leader 1\n') ?? false
  }

  /** What the member says about itself, or undefined when it does not answer. */
  async #status(page: string): Promise<string | undefined> {
    const { address, statusPort } = this.#options
    try {
      const response = await fetch(`http://${address}:${statusPort}/${page}`, { signal: AbortSignal.timeout(1000) })
      return await response.text()
    } catch {
      return undefined
    }
  }

  #flags(): string[] {
    const { name, folder, address, peerPort, statusPort, peers, certificates, flags } = this.#options
    const peerUrl = `http://${address}:${peerPort}`
    const plain = [
      `--name=${name}`,
      `--data-dir=${join(folder, name)}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=${peers}`,
      `--listen-client-urls=${this.clientUrl}`,
      `--advertise-client-urls=${this.clientUrl}`,
      `--listen-metrics-urls=http://${address}:${statusPort}`,
      '--logger=zap',
      '--log-level=warn',
      ...flags,
    ]
    if (!certificates) return plain
    const { cafile, server } = certificates
    const files = [`--trusted-ca-file=${cafile}`, `--cert-file=${server.certfile}`, `--key-file=${server.keyfile}`]
    return [...plain, '--client-cert-auth', ...files]
  }
}
