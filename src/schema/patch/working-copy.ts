import type { JsonValue } from '../declaration.js'
import { isContainer, isList, isObject, type JsonContainer, memberOf, setMember } from '../json-value.js'
import { listPosition } from './json-pointer.js'

export type WritableList = JsonValue[]
export type WritableContainer = WritableList | Record<string, JsonValue>

/**
 * A copy-on-write document for many small changes. A container is copied on its first write, so ten thousand changes of one large object
 * cost one copy. Everything else stays shared with the original.
 */
export class WorkingCopy {
  #root: JsonContainer
  /** The copied containers. Invariant: nothing outside this working copy refers to them. */
  readonly #own = new WeakSet<JsonContainer>()

  constructor(document: JsonContainer) {
    this.#root = document
  }

  get root(): JsonContainer {
    return this.#root
  }

  replaceRoot(document: JsonContainer): void {
    this.#root = document
  }

  /** The container at a path, for reading. */
  at(segments: readonly string[]): JsonContainer | undefined {
    let container: JsonContainer = this.#root
    for (const segment of segments) {
      const next = childOf(container, segment)
      if (!isContainer(next)) return undefined
      container = next
    }
    return container
  }

  /** The container at a path, for writing. */
  writableAt(segments: readonly string[]): WritableContainer | undefined {
    if (!this.at(segments)) return undefined
    let container = this.#owned(this.#root)
    this.#root = container
    for (const segment of segments) {
      const child = this.#owned(childOf(container, segment) as JsonContainer)
      setChild(container, segment, child)
      container = child
    }
    return container
  }

  #owned(container: JsonContainer): WritableContainer {
    if (this.#own.has(container)) return container as WritableContainer
    const copy: WritableContainer = isList(container) ? [...container] : { ...container }
    this.#own.add(copy)
    return copy
  }
}

export function childOf(container: JsonContainer, segment: string): JsonValue | undefined {
  if (isObject(container)) return memberOf(container, segment)
  const position = listPosition(segment, container.length)
  return position === undefined ? undefined : container[position]
}

/** Sets a member, or an existing element. */
export function setChild(container: WritableContainer, segment: string, value: JsonValue): void {
  if (isList(container)) container[listPosition(segment, container.length)!] = value
  else setMember(container, segment, value)
}
