import type { KubeObject, UntypedObject } from '../../api/kube-object.js'
import { bornMetadata, carriedMetadata } from '../../api/metadata/system-fields.js'
import { builtin } from '../../api/scheme.js'
import { deepFreeze } from '../../apiserver/cache/cached-object.js'
import type { ObjectStore } from '../../apiserver/cache/object-store.js'
import { ResourceMap } from '../../apiserver/registry/resource-map.js'
import type { ServedResource } from '../../apiserver/registry/served-resource.js'
import {
  applyCreateStrategy,
  applyUpdateStrategy,
  removeDuplicateOwners,
  type StrategyResource,
  type StrategyResult,
  strategyWarnings,
} from '../../apiserver/verbs/kind-strategy.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { setDefaults } from '../../schema/defaults.js'
import type { Draft } from '../../schema/infer.js'
import type { ObjectType } from '../../schema/model.js'
import { applyMergePatch } from '../../schema/patch/merge-patch.js'
import type { ServedKind } from '../../schema/scheme.js'
import type { RegistryStrategy, StrategyContext } from '../../schema/strategy.js'
import { cellsOf, columnsOf } from '../../schema/table.js'

/** The time of every write. */
export const harnessTime = '2024-01-01T00:00:00Z'

/** The user and options of every write. */
export const harnessContext: StrategyContext = {
  time: harnessTime,
  allowPrivileged: false,
  user: { name: 'tester', uid: '', groups: [], extra: {} },
}

/** The result of a write. */
export interface WriteResult<T = UntypedObject> {
  /** The object as it would be read back. Frozen, because stored objects are shared. */
  readonly object: T
  /** Validation errors, each as `field: message`. */
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** A merge patch, or a function that changes a copy of the object. */
export type ObjectEdit<T> = object | ((draft: Draft<T>) => void)

/** Returns an edit that replaces whole fields of the object. */
export function replaceFields(fields: object): (draft: object) => void {
  return (draft) => void Object.assign(draft, fields)
}

/** The kinds as the server serves them, over a store without content. */
const resources = new ResourceMap(builtin, { collection: () => undefined } as unknown as ObjectStore, {})

/**
 * Writes objects of one kind as the verbs do, but without a server: decodes, defaults, converts, prepares and validates them. It does nothing
 * that needs the store or admission.
 */
export class KindHarness<T extends object = UntypedObject> {
  readonly type: ServedKind
  readonly strategy: RegistryStrategy<T>
  readonly #context: StrategyContext
  readonly #resource: HarnessResource

  /** `name` is that of the declaration: `apps/v1.Deployment`. */
  constructor(name: string, context: Partial<StrategyContext> = {}) {
    this.#resource = resourceOf(builtin.type(name))
    this.type = this.#resource.type
    this.strategy = this.type.strategy as unknown as RegistryStrategy<T>
    this.#context = { ...harnessContext, ...context }
  }

  /** Decodes the body of a request and sets defaults. */
  decode(body: object): T {
    const { apiVersion, kind } = this.type.kind
    const { object } = decodeValue(this.type, { ...body, apiVersion, kind }, 'Strict')
    object.metadata = { name: 'it', ...this.#namespace(), ...(object.metadata as object) }
    setDefaults(this.type, object)
    return object as T
  }

  create(body: object): WriteResult<T> {
    const draft = { ...this.#resource.toStored(this.decode(body) as KubeObject) } as Draft<KubeObject>
    const warnings: string[] = []
    removeDuplicateOwners(draft, (warning) => warnings.push(warning))
    draft.metadata = bornMetadata(draft.metadata, '00000000-0000-4000-8000-000000000001', this.#context.time) as never
    return this.#result(applyCreateStrategy(this.#resource, draft, this.#context), { warnings })
  }

  /** Updates `old`, as a whole or through a subresource. */
  update(old: T | WriteResult<T>, change: ObjectEdit<T>, subresource = ''): WriteResult<T> {
    const resource = this.#resource
    const before = resource.toStored(objectOf(old) as KubeObject)
    const draft = { ...resource.toStored(this.#changed(resource.fromStored(before), change)) } as Draft<KubeObject>
    const warnings: string[] = []
    removeDuplicateOwners(draft, (warning) => warnings.push(warning))
    draft.metadata = { ...carriedMetadata(draft.metadata, before.metadata), resourceVersion: '1' } as never
    const result = applyUpdateStrategy(resource, draft, frozen(before), { ...this.#context, subresource })
    return this.#result(result, { old: before, subresource, warnings })
  }

  /** Returns the table row of an object by column name. Default for `now`: a minute after the write. */
  row(shown: T | WriteResult<T>, now = Date.parse(this.#context.time) + 60_000): Readonly<Record<string, JsonValue>> {
    const cells = cellsOf(this.type, objectOf(shown) as JsonObject, now)
    return Object.fromEntries(columnsOf(this.type).map(({ name }, i) => [name, cells[i]!]))
  }

  /** The same row as a list. */
  cells(shown: T | WriteResult<T>, now?: number): readonly JsonValue[] {
    return Object.values(this.row(shown, now))
  }

  #namespace(): object {
    return this.type.kind.resource.namespaced ? { namespace: 'default' } : {}
  }

  /** Fields that the edit does not touch are shared with the old object, as after a patch. */
  #changed(old: KubeObject, change: ObjectEdit<T>): KubeObject {
    const next = typeof change === 'function' ? structuredClone(old) : applyMergePatch(old as never, change as never)
    if (typeof change === 'function') change(next as Draft<T>)
    const draft = this.decode(structuredClone(next) as object) as Draft<UntypedObject>
    const before = old as UntypedObject
    if (typeof change === 'object') for (const key in before) if (!(key in change)) draft[key] = before[key]
    return draft
  }

  #result({ object, errors }: StrategyResult, context: WriteContext): WriteResult<T> {
    const { old, subresource = '', warnings } = context
    const resource = this.#resource
    const allWarnings = [...warnings, ...strategyWarnings(resource.stored, object, old, subresource)]
    const { resourceVersion: _, ...metadata } = object.metadata
    const seen = frozen(resource.fromStored({ ...object, metadata })) as T
    return { object: seen, errors: errors.map(String), warnings: allWarnings }
  }
}

type HarnessResource = StrategyResource & Pick<ServedResource, 'toStored'>

function resourceOf(declared: ObjectType): HarnessResource {
  const { group, version, resource } = declared.kind!
  const served = resource && resources.find(group, version, resource.plural)
  if (served) return served
  const type = unserved(declared)
  return { type, stored: type, isView: false, toStored: (object) => object, fromStored: (object) => object }
}

/** Describes a kind that is not served as if it were. */
function unserved(declared: ObjectType): ServedKind {
  const subresources = declared.field.has('status') ? { status: { verbs: ['update'] } } : {}
  const resource = { namespaced: true, subresources, columns: [] }
  const { name, fields, field, atomic, unions, fastDecoding, defaults, table, strategy, kind } = declared
  const facts = { name, fields, field, atomic, unions, fastDecoding, defaults, table, strategy }
  return { ...facts, kind: { ...kind, resource } } as unknown as ServedKind
}

interface WriteContext {
  readonly old?: KubeObject
  readonly subresource?: string
  readonly warnings: readonly string[]
}

function objectOf<T extends object>(given: T | WriteResult<T>): T {
  return 'object' in given && 'errors' in given ? given.object : given
}

/** Returns the field and type of each error, for errors whose full text other tests check. */
export function errorKinds(errors: readonly string[]): readonly string[] {
  return errors.map((error) => /^.*?: [A-Z][a-z ]+/.exec(error)![0])
}

/** Freezes a value, so that a test fails if the code under test changes it. */
function frozen<V>(value: V): V {
  deepFreeze(value)
  return value
}
