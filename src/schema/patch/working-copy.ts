import type { JsonValue } from '../declaration.js'
import { isContainer, isList, isObject, type JsonContainer, memberOf, setMember } from '../json-value.js'
import { listPosition } from './json-pointer.js'

export type WritableList = JsonValue[]
export type WritableContainer = WritableList | Record<string, JsonValue>

/**
 * A document to which many small changes are made. A container is copied when it is first written to, and only then, so ten
 * thousand changes to one large object cost one copy; everything else stays shared with the document that it began as.
 */
export class WorkingCopy {
  #root: JsonContainer
  /** The copies. A container is in here only if nothing outside this working copy can reach it. */
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

  /** The container that the segments lead to, for reading. */
  at(segments: readonly string[]): JsonContainer | undefined {
    let container: JsonContainer = this.#root
    for (const segment of segments) {
      const next = childOf(container, segment)
      if (!isContainer(next)) return undefined
      container = next
    }
    return container
  }

  /** The same, to be written to. */
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

/** Sets a member, or an element that is there already. */
export function setChild(container: WritableContainer, segment: string, value: JsonValue): void {
  if (isList(container)) container[listPosition(segment, container.length)!] = value
  else setMember(container, segment, value)
}
