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
  /** The value of `--initial-cluster`. */
  readonly peers: string
  readonly certificates: EtcdCertificates | undefined
  readonly flags: readonly string[]
}

/** One etcd process. A killed member can be started again with its data. */
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

  /** Resolves when the member is healthy and knows a leader. */
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

  /** Starts the process without waiting until it is healthy. */
  async launch(): Promise<void> {
    // The kernel kills the member if the test process dies.
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

  /** Kills the process with SIGKILL, and resolves when it has ended. */
  async kill(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }

  /** Stops the process: its connections stay open, but it does not respond. */
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

  /** Returns a status page of the member, or undefined if it does not respond. */
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
