import { Agent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { openLoadWatch, type WatchLine } from './http-requests.js'

export interface SeenEvent {
  readonly type: string
  readonly name: string
  readonly value: string | undefined
  readonly revision: number
}

/** Watches a collection from a revision, and resumes after each crash or restart where it stopped. */
export class Watcher {
  readonly seen: SeenEvent[] = []
  readonly faults: string[] = []
  /** The number of times it resumed, and of watches that ended properly. */
  resumed = 0
  cleanEnds = 0
  readonly #agent = new Agent({ rejectUnauthorized: false })
  readonly #url: string
  #revision: number
  #stop: (() => void) | undefined
  #isStopped = false

  constructor(url: string, revision: number) {
    this.#url = url
    this.#revision = revision
  }

  get revision(): number {
    return this.#revision
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${this.#revision}`
      const { ended, stop } = openLoadWatch(this.#agent, `${this.#url}?${query}`, (line) => this.#take(line))
      this.#stop = stop
      if (await ended) this.cleanEnds++
      this.resumed++
      if (!this.#isStopped) await pause(20)
    }
    this.#agent.destroy()
  }

  stop(): void {
    this.#isStopped = true
    this.#stop?.()
  }

  #take({ type, object }: WatchLine): void {
    if (type === 'ERROR') {
      this.faults.push(`error while resuming after ${this.#revision}: ${object.message}`)
      this.stop()
      return
    }
    const { name = '', resourceVersion } = object.metadata
    const revision = Number(resourceVersion)
    if (type !== 'BOOKMARK') {
      if (revision <= this.#revision) this.faults.push(`${type} ${name} at ${revision} came after ${this.#revision}`)
      if (object.data && object.data.value !== object.data.copy)
        this.faults.push(`${name} is inconsistent at ${revision}`)
      this.seen.push({ type, name, value: type === 'DELETED' ? undefined : object.data?.value, revision })
    }
    this.#revision = Math.max(this.#revision, revision)
  }
}
