/** Objects written the way the verbs write them, but without a server: read, completed, made ready and checked. */
import { builtin } from '../api/scheme.js'
import type { JsonObject, JsonValue } from '../schema/declaration.js'
import { decodeValue } from '../schema/decoder.js'
import { setDefaults } from '../schema/defaults.js'
import { canonical } from '../schema/encode.js'
import type { FieldError } from '../schema/field-errors.js'
import { sameJson } from '../schema/json-value.js'
import type { ObjectType } from '../schema/model.js'
import { applyMergePatch } from '../schema/patch/merge-patch.js'
import type { Strategy, StrategyContext, SubresourceStrategy } from '../schema/strategy.js'
import { cellsOf, columnsOf } from '../schema/table.js'

export interface WrittenObject {
  readonly type: ObjectType
  readonly object: JsonObject
  /** What is wrong with it, its metadata aside. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

interface Metadata {
  readonly generation?: number
}

type AnyStrategy = Strategy<object>

const context: StrategyContext = {
  time: '2024-01-01T00:00:00Z',
  allowPrivileged: true,
  user: { name: 'admin', uid: '', groups: [], extra: {} },
}

const uid = '00000000-0000-4000-8000-000000000001'

/** `typeName` is that of the declaration: `apps/v1.Deployment`. */
export function created(typeName: string, given: JsonObject): WrittenObject {
  const type = builtin.type(typeName)
  const strategy = type.strategy as AnyStrategy
  const draft = completed(type, given)
  const metadata = { name: 'it', namespace: 'default', uid, ...(draft.metadata as object) }
  draft.metadata = strategy.intent ? { ...metadata, generation: 1 } : metadata
  if (strategy.prepareCreate) strategy.prepareCreate(draft, context)
  else delete draft.status
  const object = canonical(type, draft)
  const problems = texts(strategy.validate?.(object, context))
  return { type, object: object as JsonObject, problems, warnings: strategy.warnings?.(object, undefined) ?? [] }
}

/** The object after a merge patch of the whole of it, or through one of its subresources. */
export function patched(before: WrittenObject, patch: JsonObject, subresource?: string): WrittenObject {
  const { type, object: old } = before
  const draft = completed(type, applyMergePatch(old, patch) as JsonObject)
  const strategy = type.strategy as AnyStrategy
  const part = subresource === undefined ? undefined : (strategy.subresources?.[subresource] ?? {})
  prepare(draft, old, { strategy, part })
  const object = canonical(type, draft) as JsonObject
  const counted = part ? object : withGeneration(object, old, strategy)
  const validate = part?.validateUpdate ?? strategy.validateUpdate ?? strategy.validate
  const problems = texts((validate as AnyStrategy['validateUpdate'])?.(counted, old, context))
  const warnings = part ? part.warnings?.(counted, old) : strategy.warnings?.(counted, old)
  return { type, object: counted, problems, warnings: warnings ?? [] }
}

function completed(type: ObjectType, given: JsonObject): Record<string, unknown> {
  const draft = decodeValue(type, structuredClone(given), 'Strict').object
  setDefaults(type, draft)
  return draft
}

interface Prepared {
  readonly strategy: AnyStrategy
  readonly part: SubresourceStrategy<object> | undefined
}

function prepare(draft: Record<string, unknown>, old: JsonObject, { strategy, part }: Prepared): void {
  const prepareUpdate = part ? part.prepareUpdate : strategy.prepareUpdate
  if (prepareUpdate) prepareUpdate(draft, old, context)
  else if (part) for (const name in draft) if (name !== 'metadata' && name !== 'status') draft[name] = old[name]
  if (!prepareUpdate && !part) draft.status = old.status
}

function withGeneration(object: JsonObject, old: JsonObject, { intent }: AnyStrategy): JsonObject {
  const isSame = (one: unknown, other: unknown) =>
    sameJson(one as JsonValue | undefined, other as JsonValue | undefined)
  const before = intent?.(old)
  if (!intent || intent(object).every((part, i) => isSame(part, before?.[i]))) return object
  const metadata = object.metadata as Metadata & JsonObject
  return { ...object, metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 } }
}

function texts(errors: Iterable<FieldError> = []): readonly string[] {
  return [...errors].map(String)
}

/** The row that shows an object, by the names of its columns. */
export function shown({ type, object }: WrittenObject, now = 0): Readonly<Record<string, JsonValue>> {
  const cells = cellsOf(type, object, now)
  return Object.fromEntries(columnsOf(type).map(({ name }, i) => [name, cells[i]!]))
}
