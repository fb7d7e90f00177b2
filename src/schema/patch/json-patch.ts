import type { JsonValue } from '../declaration.js'
import { isContainer, isList, type JsonContainer, sameJson } from '../json-value.js'
import { quote } from '../quote.js'
import { limitDepth } from './depth.js'
import { isIndex, listPosition, parsePointer } from './json-pointer.js'
import { PatchError } from './patch-error.js'
import { childOf, setChild, WorkingCopy, type WritableContainer, type WritableList } from './working-copy.js'

/** One operation of a JSON Patch as sent by a client. It is validated when it is applied. */
export interface JsonPatchOperation {
  readonly op?: string
  readonly path?: string
  readonly from?: string
  readonly value?: JsonValue
}

/** Limit of the bytes of JSON that all `copy` operations of one patch may add to a document. */
export const maximumCopiedBytes = 3 * 1024 * 1024

/**
 * Applies the operations in order. If one fails, none is applied. Deviates from the standard as upstream's library does: `replace` and
 * `copy` accept an absent member, `test` treats it as null, a missing value is null, and negative indices count from the end of a list.
 */
export function applyJsonPatch(document: JsonContainer, patch: readonly JsonPatchOperation[]): JsonContainer {
  const application = new Application(document)
  for (const operation of patch) application.run(operation)
  limitDepth(application.document.root, 'inapplicable')
  return application.document.root
}

class Application {
  readonly document: WorkingCopy
  readonly #operations = new Map<string | undefined, (operation: JsonPatchOperation) => void>([
    ['add', (operation) => this.#add(operation)],
    ['remove', (operation) => this.#remove(operation)],
    ['replace', (operation) => this.#replace(operation)],
    ['move', (operation) => this.#move(operation)],
    ['copy', (operation) => this.#copy(operation)],
    ['test', (operation) => this.#test(operation)],
  ])
  #copiedBytes = 0

  constructor(document: JsonContainer) {
    this.document = new WorkingCopy(document)
  }

  run(operation: JsonPatchOperation): void {
    limitDepth(operation.value)
    const run = this.#operations.get(operation.op)
    if (!run) throw inapplicable(`Unexpected kind: ${operation.op ?? 'unknown'}`)
    run(operation)
  }

  #add(operation: JsonPatchOperation): void {
    const path = operation.path ?? fail('add operation failed to decode path: missing value')
    const { container, key } = this.#target(path, `add operation does not apply: doc is missing path: "${path}"`)
    addChild(container, key, operation.value ?? null, `error in add for path: '${path}'`)
  }

  #remove(operation: JsonPatchOperation): void {
    const path = operation.path ?? fail('remove operation failed to decode path: missing value')
    const { container, key } = this.#target(path, `remove operation does not apply: doc is missing path: "${path}"`)
    removeChild(container, key, `error in remove for path: '${path}'`)
  }

  #replace(operation: JsonPatchOperation): void {
    const path = operation.path ?? fail('replace operation failed to decode path: operation missing path field')
    if (path === '') this.#replaceRoot(operation.value)
    else this.#replaceChild(path, operation.value ?? null)
  }

  #replaceChild(path: string, value: JsonValue): void {
    const { container, key } = this.#target(path, `replace operation does not apply: doc is missing path: ${path}`)
    if (isList(container) && listPosition(key, container.length) === undefined)
      throw inapplicable(`replace operation does not apply: doc is missing key: ${path}: missing value`)
    setChild(container, key, value)
  }

  #replaceRoot(value: JsonValue | undefined): void {
    if (!isContainer(value)) throw inapplicable('replace operation value must be object or array')
    this.document.replaceRoot(value)
  }

  #move({ from, path }: JsonPatchOperation): void {
    if (from === undefined) throw inapplicable('move operation failed to decode from: operation, missing from field')
    const source = this.#target(from, `move operation does not apply: doc is missing from path: ${from}`)
    const value = childOf(source.container, source.key) ?? null
    removeChild(source.container, source.key, `error in move for path: '${source.key}'`)
    if (path === undefined) throw inapplicable('move operation failed to decode path: operation missing path field')
    const target = this.#target(path, `move operation does not apply: doc is missing destination path: ${path}`)
    addChild(target.container, target.key, value, `error in move for path: '${path}'`)
  }

  #copy({ from, path }: JsonPatchOperation): void {
    if (from === undefined) throw inapplicable('copy operation failed to decode from: operation, missing from field')
    const source = this.#read(from, `copy operation does not apply: doc is missing from path: ${from}`)
    checkPosition(source.container, source.key, `error in copy for from: '${from}'`)
    if (path === undefined) throw inapplicable('copy operation failed to decode path: missing value')
    const target = this.#target(path, `copy operation does not apply: doc is missing destination path: ${path}`)
    const copy = this.#duplicate(childOf(source.container, source.key))
    addChild(target.container, target.key, copy, 'error while adding value during copy')
  }

  /** A deep copy, because later operations may modify either value. */
  #duplicate(value: JsonValue | undefined): JsonValue {
    if (value === undefined) return null
    limitDepth(value, 'inapplicable')
    const text = JSON.stringify(value)
    this.#copiedBytes += Buffer.byteLength(text)
    if (this.#copiedBytes > maximumCopiedBytes)
      throw inapplicable(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${maximumCopiedBytes}`,
      )
    return JSON.parse(text) as JsonValue
  }

  #test({ path, value }: JsonPatchOperation): void {
    if (path === undefined) throw inapplicable('test operation failed to decode path: operation missing path field')
    if (!sameJson(this.#tested(path) ?? null, value ?? null))
      throw inapplicable(`testing value ${path} failed: test failed`)
  }

  #tested(path: string): JsonValue | undefined {
    if (path === '') return this.document.root
    const { container, key } = this.#read(path, `test operation does not apply: is missing path: ${path}`)
    checkPosition(container, key, `error in test for path: '${path}'`)
    return childOf(container, key)
  }

  #read(path: string, missing: string): { readonly container: JsonContainer; readonly key: string } {
    const { parents, key } = splitPath(path, missing)
    const container = this.document.at(parents) ?? fail(`${missing}: missing value`)
    return { container, key }
  }

  #target(path: string, missing: string): { readonly container: WritableContainer; readonly key: string } {
    const { parents, key } = splitPath(path, missing)
    const container = this.document.writableAt(parents) ?? fail(`${missing}: missing value`)
    return { container, key }
  }
}

function splitPath(path: string, missing: string): { readonly parents: readonly string[]; readonly key: string } {
  const segments = parsePointer(path)
  const key = segments.at(-1) ?? fail(`${missing}: missing value`)
  return { parents: segments.slice(0, -1), key }
}

/** Fails if a list has no element at this index. Objects may lack the member. */
function checkPosition(container: JsonContainer, key: string, context: string): void {
  if (isList(container) && listPosition(key, container.length) === undefined)
    throw inapplicable(`${context}: ${indexProblem(key)}`)
}

function addChild(container: WritableContainer, key: string, value: JsonValue, context: string): void {
  if (isList(container)) insert(container, key, { value, context })
  else setChild(container, key, value)
}

/** Inserts an element before an index, or at the end. */
function insert(list: WritableList, key: string, { value, context }: { value: JsonValue; context: string }): void {
  const position = key === '-' ? list.length : listPosition(key, list.length + 1)
  if (position === undefined)
    throw inapplicable(`${context}: ${isIndex(key) ? '' : notProper(key)}${indexProblem(key)}`)
  list.splice(position, 0, value)
}

function removeChild(container: WritableContainer, key: string, context: string): void {
  if (isList(container)) {
    checkPosition(container, key, context)
    container.splice(listPosition(key, container.length)!, 1)
  } else {
    if (!Object.hasOwn(container, key))
      throw inapplicable(`${context}: Unable to remove nonexistent key: ${key}: missing value`)
    delete container[key]
  }
}

function indexProblem(key: string): string {
  return isIndex(key)
    ? `Unable to access invalid index: ${Number(key)}: invalid index referenced`
    : `strconv.Atoi: parsing ${quote(key)}: invalid syntax`
}

function notProper(key: string): string {
  return `value was not a proper array index: '${key}': `
}

function inapplicable(message: string): PatchError {
  return new PatchError('inapplicable', message)
}

function fail(message: string): never {
  throw inapplicable(message)
}
