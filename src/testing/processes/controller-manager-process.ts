import type { ApiServerProcess } from './api-server-process.js'
import { ProaProcess } from './proa-process.js'
import type { ProcessLogLine } from './process-log.js'

/** A controller manager as a process of its own (`proa controller-manager`), over HTTPS with its own credentials. Tests can kill it. */
export class ControllerManagerProcess implements AsyncDisposable {
  /** All log lines. */
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

  /** Whether its controllers have started. */
  get hasBeenActive(): boolean {
    return this.#process.hasPrinted(atWork)
  }

  /** Resolves when its controllers have started. */
  async untilActive(): Promise<void> {
    await this.#process.untilOutput(atWork)
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.signal(signal)
  }

  /** Resolves with the exit code or signal when the process has ended. */
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
