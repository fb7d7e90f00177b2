import type { ApiServerProcess } from './api-server-process.js'
import { ProaProcess } from './proa-process.js'
import type { ProcessLogLine } from './process-log.js'

/** A controller manager as a process of its own, to be mistreated: `proa controller-manager`, over HTTPS and in its own name. */
export class ControllerManagerProcess implements AsyncDisposable {
  /** Everything that it has logged. */
  readonly log: ProcessLogLine[] = []
  readonly #process: ProaProcess

  constructor(server: ApiServerProcess, flags: readonly string[] = []) {
    const kubeconfig = server.kubeconfigOf('controller-manager')
    const args = ['controller-manager', `--kubeconfig=${kubeconfig}`, '--secure-port=0', ...flags]
    this.#process = new ProaProcess({ args, log: (line) => this.log.push(line) })
  }

  get pid(): number {
    return this.#process.pid
  }

  get exit(): number | string | undefined {
    return this.#process.exit
  }

  /** Whether its loops are, or were, at work. */
  get hasBeenActive(): boolean {
    return this.#process.hasPrinted(atWork)
  }

  /** Resolves when its loops are at work. */
  async untilActive(): Promise<void> {
    await this.#process.untilOutput(atWork)
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.signal(signal)
  }

  /** Resolves when it has gone by itself. */
  ended(): Promise<number | string> {
    return this.#process.ended()
  }

  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> {
    return this.#process.end(signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL')
  }
}

const atWork = /^The controllers are running\.$/
