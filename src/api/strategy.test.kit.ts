import { decodeValue } from '../schema/decoder.js'
import { setDefaults } from '../schema/defaults.js'
import { canonical } from '../schema/encode.js'
import type { FieldError } from '../schema/field-errors.js'
import { applyMergePatch } from '../schema/patch/merge-patch.js'
import type { ServedKind } from '../schema/scheme.js'
import type { Strategy, StrategyContext } from '../schema/strategy.js'
import { cellsOf, columnsOf } from '../schema/table.js'
import { builtin } from './scheme.js'

type Json = Readonly<Record<string, unknown>>

const context: StrategyContext = {
  time: '2024-01-01T00:00:00Z',
  allowPrivileged: false,
  user: { name: 'admin', uid: '', groups: [], extra: {} },
}

/** One kind, asked as the verbs ask it. Whatever it makes is frozen, so that nobody changes what others read. */
export class KindUnderTest<T extends { readonly metadata: object }> {
  readonly #type: ServedKind
  readonly #strategy: Strategy<T>

  constructor(name: string) {
    this.#type = builtin.type(name) as ServedKind
    this.#strategy = this.#type.strategy as unknown as Strategy<T>
  }

  /** A new object, with defaults and made ready. */
  made(parts: Json): T {
    const draft = this.#decoded({ metadata: { name: 'x', namespace: 'ns' }, ...parts })
    this.#strategy.prepareCreate?.(draft as never, context)
    return this.#frozen(draft)
  }

  /** What is wrong with it. */
  refused(parts: Json): readonly string[] {
    return texts(this.#strategy.validate!(this.made(parts), context))
  }

  /** The object after a merge patch, as a whole or through a subresource. What the patch leaves alone is shared with the old one. */
  changed(old: T, patch: Json, subresource = ''): T {
    const draft = { ...this.#decoded(applyMergePatch(old as never, patch as never) as Json) }
    for (const key of Object.keys(old)) if (!(key in patch)) draft[key] = old[key as keyof T]
    const { prepareUpdate } = subresource === '' ? this.#strategy : (this.#strategy.subresources?.[subresource] ?? {})
    prepareUpdate?.(draft as never, old, context)
    return this.#frozen(draft)
  }

  refusedChange(old: T, patch: Json, subresource = ''): readonly string[] {
    const object = this.changed(old, patch, subresource)
    const view = subresource === '' ? undefined : this.#strategy.subresources?.[subresource]?.validateUpdate
    const { validateUpdate, validate } = this.#strategy
    const check = view ?? validateUpdate
    return texts(check ? check(object, old, context) : validate!(object, context))
  }

  warnings(object: T, old?: T, subresource = ''): readonly string[] {
    if (subresource === '') return this.#strategy.warnings?.(object, old) ?? []
    return this.#strategy.subresources?.[subresource]?.warnings?.(object, old ?? object) ?? []
  }

  wantsMore(object: T, old: T): boolean {
    const { intent } = this.#strategy
    return JSON.stringify(intent!(object)) !== JSON.stringify(intent!(old))
  }

  field(name: string, object: T): string {
    return this.#strategy.fields![name]!(object)
  }

  nameProblems(name: string): readonly string[] {
    return this.#strategy.name!(name, false)
  }

  /** Its row of the table, by column, as of a minute after the time of `context`. */
  row(object: T): Json {
    const cells = cellsOf(this.#type, object as never, Date.parse(context.time) + 60_000)
    return Object.fromEntries(columnsOf(this.#type).map(({ name }, i) => [name, cells[i]]))
  }

  #decoded(value: Json): Record<string, unknown> {
    const { apiVersion, kind } = this.#type.kind
    const { object } = decodeValue(this.#type, { ...value, apiVersion, kind }, 'Strict')
    setDefaults(this.#type, object)
    return object
  }

  #frozen(draft: object): T {
    return deeplyFrozen(canonical(this.#type, draft)) as unknown as T
  }
}

/** Which field, and in which way it is wrong: for errors whose words are proven elsewhere. */
export function reasons(errors: readonly string[]): readonly string[] {
  return errors.map((error) => /^.*?: [A-Z][a-z ]+/.exec(error)![0])
}

function texts(errors: Iterable<FieldError>): readonly string[] {
  return [...errors].map(String)
}

function deeplyFrozen<V>(value: V): V {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deeplyFrozen(part)
  return Object.freeze(value)
}
