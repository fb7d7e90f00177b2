/**
 * Decides whether a concurrent history of one register could have happened one operation at a time: whether each operation can be
 * given a moment between its call and its return such that, in the order of these moments, every answer is right. The search is
 * Wing and Gong's, with Lowe's memory of configurations already tried.
 */

/** One operation of one client on one register. Every value is written at most once, so that a value names its write. */
export type RegisterOperation = {
  /** When it was asked for, and when it was answered; Infinity when the answer never came. Any clock that never ties. */
  readonly called: number
  readonly returned: number
} & (
  | { readonly type: 'read'; readonly value: RegisterValue }
  | { readonly type: 'write'; readonly value: RegisterValue; readonly outcome: 'done' | 'unknown' }
  /** Writes `value` if the register holds `expected`; when it did not, `found` is what it held. */
  | {
      readonly type: 'swap'
      readonly expected: RegisterValue
      readonly value: RegisterValue
      readonly outcome: 'done' | 'unknown'
    }
  | {
      readonly type: 'swap'
      readonly expected: RegisterValue
      readonly outcome: 'refused'
      readonly found: RegisterValue
    }
)

/** What a register holds; undefined when there is nothing in it. */
export type RegisterValue = string | undefined

/** Whether the operations, all of one register that begins empty, are linearizable. */
export function isLinearizable(operations: readonly RegisterOperation[]): boolean {
  return new Search(operations.toSorted((a, b) => a.called - b.called)).run()
}

interface Step {
  readonly operation: number
  readonly before: RegisterValue
}

class Search {
  readonly #operations: readonly RegisterOperation[]
  /** Calls and returns in the order of time, linked so that taking an operation out and putting it back is cheap. */
  readonly #next: Int32Array
  readonly #previous: Int32Array
  readonly #done: Uint8Array
  readonly #tried = new Set<string>()
  readonly #steps: Step[] = []
  /** How many operations that were answered have no moment yet. Those without an answer need none. */
  #open: number
  #register: RegisterValue

  /** Event 2i is the call of operation i, event 2i+1 its return; the last index is head and tail of the ring. */
  constructor(operations: readonly RegisterOperation[]) {
    this.#operations = operations
    const count = operations.length * 2
    this.#next = new Int32Array(count + 1)
    this.#previous = new Int32Array(count + 1)
    this.#done = new Uint8Array(operations.length)
    this.#open = operations.filter((operation) => !neverAnswered(operation)).length
    const time = (event: number) => {
      const operation = operations[event >> 1]!
      return event & 1 ? operation.returned : operation.called
    }
    // Two events that never returned are both at infinity, and their difference is no number.
    const inOrder = [...new Array(count).keys()].sort((a, b) =>
      time(a) < time(b) ? -1 : time(a) > time(b) ? 1 : a - b,
    )
    let last = count
    for (const event of inOrder) {
      this.#link(last, event)
      last = event
    }
    this.#link(last, count)
  }

  #link(before: number, after: number): void {
    this.#next[before] = after
    this.#previous[after] = before
  }

  run(): boolean {
    const head = this.#operations.length * 2
    let event = this.#next[head]!
    while (this.#open > 0) {
      if (!(event & 1) && event !== head) event = this.#take(event >> 1) ? this.#next[head]! : this.#next[event]!
      else {
        // An operation returned that could not be given its moment: undo the latest choice and try the next one.
        const step = this.#steps.pop()
        if (!step) return false
        event = this.#undo(step)
      }
    }
    return true
  }

  /** Gives the operation its moment now, if its answer is right now and this configuration is new. */
  #take(index: number): boolean {
    const operation = this.#operations[index]!
    if (!answersRightly(operation, this.#register)) return false
    const before = this.#register
    this.#done[index] = 1
    this.#register = effect(operation, before)
    const configuration = this.#configuration()
    if (this.#tried.has(configuration)) {
      this.#done[index] = 0
      this.#register = before
      return false
    }
    this.#tried.add(configuration)
    this.#steps.push({ operation: index, before })
    if (!neverAnswered(operation)) this.#open--
    for (const event of [index * 2, index * 2 + 1]) this.#link(this.#previous[event]!, this.#next[event]!)
    return true
  }

  /** Which operations have their moments, and what the register holds: from here on nothing else matters. */
  #configuration(): string {
    const first = this.#done.indexOf(0)
    const last = this.#done.lastIndexOf(1)
    return `${first} ${this.#done.subarray(first, last + 1).join('')} ${this.#register ?? ''}`
  }

  /** Puts the operation back, and gives the event to go on from: the one after its call. */
  #undo({ operation, before }: Step): number {
    this.#done[operation] = 0
    this.#register = before
    if (!neverAnswered(this.#operations[operation]!)) this.#open++
    for (const event of [operation * 2 + 1, operation * 2]) {
      this.#next[this.#previous[event]!] = event
      this.#previous[this.#next[event]!] = event
    }
    return this.#next[operation * 2]!
  }
}

function neverAnswered(operation: RegisterOperation): boolean {
  return operation.type !== 'read' && operation.outcome === 'unknown'
}

function answersRightly(operation: RegisterOperation, register: RegisterValue): boolean {
  if (operation.type === 'read') return operation.value === register
  if (operation.type === 'write') return true
  if (operation.outcome === 'refused') return operation.expected !== register && operation.found === register
  return operation.expected === register
}

function effect(operation: RegisterOperation, register: RegisterValue): RegisterValue {
  if (operation.type === 'read') return register
  if (operation.type === 'write') return operation.value
  return operation.outcome === 'refused' ? register : operation.value
}
