import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { podContainers } from '../pods/pod-containers.js'

/**
 * The order in which containers of a terminating pod stop: main containers first, then sidecars one after the other, the last one first.
 */
export class StopOrder {
  readonly #exits = new Map<string, { readonly promise: Promise<void>; readonly resolve: () => void }>()
  readonly #waitsFor = new Map<string, readonly string[]>()

  constructor(pod: Pod, running: readonly string[]) {
    for (const name of running) this.#exits.set(name, deferred())
    const all = podContainers(pod)
    const main = all.filter(({ type }) => type === 'container').map(({ container }) => container.name)
    const later: string[] = []
    for (const { type, container } of all.toReversed()) {
      if (type !== 'init' || !isSidecar(container)) continue
      this.#waitsFor.set(container.name, [...main, ...later])
      later.push(container.name)
    }
  }

  /** Resolves when all containers that stop before it have exited. */
  async whenPrecedingEnded(name: string): Promise<void> {
    await Promise.all((this.#waitsFor.get(name) ?? []).map((before) => this.#exits.get(before)?.promise))
  }

  /** Returns whether it must wait for another container. */
  hasToWait(name: string): boolean {
    return (this.#waitsFor.get(name) ?? []).some((before) => this.#exits.has(before))
  }

  ended(name: string): void {
    this.#exits.get(name)?.resolve()
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => (resolve = settle))
  return { promise, resolve }
}
