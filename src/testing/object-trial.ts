/** Writes objects without a server, as far as the rules of their kind go: decoded, filled in, prepared and judged. */
import { builtin } from '../api/scheme.js'
import { decodeValue } from '../schema/decoder.js'
import { setDefaults } from '../schema/defaults.js'
import { canonical } from '../schema/encode.js'
import type { FieldError } from '../schema/field-errors.js'
import type { ObjectType } from '../schema/model.js'
import type { Strategy, StrategyContext } from '../schema/strategy.js'

type AnyObject = Record<string, unknown>

export interface Written {
  /** As it would be kept. */
  readonly object: AnyObject
  /** What is wrong with it, each as `field: what`. Metadata is not looked at. */
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** When everything here is written. */
export const writingTime = '2024-01-01T00:00:00Z'

const context: StrategyContext = {
  time: writingTime,
  allowPrivileged: false,
  user: { name: 'tester', uid: '', groups: [], extra: {} },
}

/** `type` is the declared name of the kind: `core/v1.Secret`. */
export function createObject(type: string, body: object): Written {
  const kind = builtin.type(type)
  const { prepareCreate, validate } = strategyOf(kind)
  const draft = drafted(kind, body)
  if (prepareCreate) prepareCreate(draft as never, context)
  else if (kind.kind?.resource?.subresources.status) delete draft.status
  return written(kind, draft, validate?.(draft, context))
}

export interface UpdateParts {
  /** What is there, as it was kept. */
  readonly old: object
  /** Fields that replace those of the old object, at the top; null takes one away. */
  readonly change: object
  readonly subresource?: string
}

export function updateObject(type: string, { old, change, subresource }: UpdateParts): Written {
  const kind = builtin.type(type)
  const before = canonical(kind, old)
  const draft = drafted(kind, { ...structuredClone(before), ...change })
  const strategy = strategyOf(kind)
  const part = subresource === undefined ? strategy : (strategy.subresources?.[subresource] ?? {})
  if (part.prepareUpdate) part.prepareUpdate(draft as never, before, context)
  else if (subresource === 'status') takeAllButStatus(draft, before)
  else if (kind.kind?.resource?.subresources.status) draft.status = before.status
  const validateUpdate = part.validateUpdate ?? strategy.validateUpdate
  const errors = validateUpdate ? validateUpdate(draft, before, context) : strategy.validate?.(draft, context)
  return written(kind, draft, errors, before)
}

function strategyOf({ strategy }: ObjectType): Strategy<AnyObject> {
  return strategy as unknown as Strategy<AnyObject>
}

function takeAllButStatus(draft: AnyObject, before: AnyObject): void {
  for (const name of Object.keys({ ...before, ...draft }))
    if (name !== 'metadata' && name !== 'status') draft[name] = before[name]
}

function drafted(type: ObjectType, body: object): AnyObject {
  const { object } = decodeValue(type, { apiVersion: type.kind?.apiVersion, kind: type.kind?.kind, ...body }, 'Strict')
  object.metadata ??= {}
  setDefaults(type, object)
  return object
}

function written(type: ObjectType, draft: AnyObject, errors: Iterable<FieldError> = [], old?: AnyObject): Written {
  return {
    object: canonical(type, draft),
    errors: [...errors].map(String),
    warnings: strategyOf(type).warnings?.(draft, old) ?? [],
  }
}
