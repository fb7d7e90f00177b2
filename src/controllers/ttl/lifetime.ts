/** Between which numbers of nodes a lifetime, in seconds, may be kept. They overlap, so that one node more or less changes nothing. */
const steps = [
  { from: 0, to: 100, seconds: 0 },
  { from: 90, to: 500, seconds: 15 },
  { from: 450, to: 1000, seconds: 30 },
  { from: 900, to: 2000, seconds: 60 },
  { from: 1800, to: Number.POSITIVE_INFINITY, seconds: 300 },
] as const

/** How long a kubelet may keep what it has read, with so many nodes in the cluster. */
export class Lifetime {
  #step = 0

  /** In seconds. What was said last stays right as long as the number of nodes is about the same. */
  secondsFor(nodes: number): number {
    while (nodes > steps[this.#step]!.to) this.#step++
    while (nodes < steps[this.#step]!.from) this.#step--
    return steps[this.#step]!.seconds
  }
}
