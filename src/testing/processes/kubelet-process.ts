import { ProaProcess } from './proa-process.js'
import type { ProcessLogLine } from './process-log.js'

/** A kubelet as a process of its own (`proa kubelet`), which a test can kill. */
export class KubeletProcess implements AsyncDisposable {
  /** All log lines. */
  readonly log: ProcessLogLine[] = []
  readonly #process: ProaProcess

  constructor(flags: readonly string[]) {
    this.#process = new ProaProcess({ args: ['kubelet', ...flags], log: (line) => this.log.push(line) })
  }

  get pid(): number {
    return this.#process.pid
  }

  get exit(): number | string | undefined {
    return this.#process.exit
  }

  /** Resolves when its Node exists and it syncs pods. */
  async untilActive(): Promise<void> {
    await this.#process.untilOutput(/^The kubelet of \S+ is running/)
  }

  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> {
    return this.#process.end(signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL')
  }
}
