import type { JsonValue } from './declaration.js'
import { memberOf, setMember } from './json-value.js'
import type { LinkedType, ObjectField, ObjectType } from './model.js'
import { containsType } from './type-search.js'
import { zeroTest } from './zero.js'

/**
 * Fills in what a client left out, in place: `draft` must be an object that was just decoded and that nothing else refers to. For each
 * object the declared function runs first, then the constant defaults of its fields, then the defaults of nested objects. A second call
 * changes nothing.
 */
export function setDefaults(type: ObjectType, draft: object): void {
  planOf(type)(draft as Draft)
}

type Draft = Record<string, unknown>
type Plan = (draft: Draft) => void

const plans = new WeakMap<ObjectType, Plan>()

function planOf(type: ObjectType): Plan {
  const known = plans.get(type)
  if (known) return known
  let compiled: Plan | undefined
  const plan: Plan = (draft) => {
    compiled ??= compile(type)
    compiled(draft)
  }
  plans.set(type, plan)
  return plan
}

function compile(type: ObjectType): Plan {
  const declared = type.defaults as Plan | undefined
  const steps = [...(declared ? [declared] : []), ...type.fields.flatMap(defaultStep)]
  const visitors = visitorsIn(type)
  return (draft) => {
    for (const step of steps) step(draft)
    if (visitors.size > 0) visitInside(draft, visitors)
  }
}

type Visitor = (value: object) => void

/** By the name of their field, for the fields whose types have defaults. */
function visitorsIn({ fields }: ObjectType): ReadonlyMap<string, Visitor> {
  const visitors = new Map<string, Visitor>()
  for (const { name, type } of fields) {
    const visit = visitorOf(type)
    if (visit) visitors.set(name, visit)
  }
  return visitors
}

/** Iterates over the fields that are set, because most are not. */
function visitInside(draft: Draft, visitors: ReadonlyMap<string, Visitor>): void {
  for (const name in draft) {
    const value = draft[name]
    if (typeof value === 'object' && value !== null) visitors.get(name)?.(value)
  }
}

function defaultStep({ name, type, absent, options }: ObjectField): Plan[] {
  const { default: standard, keepZero } = options
  const isZero = keepZero || absent === 'null' ? () => false : zeroTest(type)
  if (standard === undefined || isZero(standard)) return []
  return [
    (draft) => {
      const value = memberOf(draft, name)
      if (value === undefined || value === null || isZero(value)) setMember<unknown>(draft, name, fresh(standard))
    },
  ]
}

/** Drafts are modified in place, so two of them must not share a default that is a list or an object. */
function fresh(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(fresh)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fresh(part)]))
}

/** Sets the defaults inside a value; undefined for types without any, so that whole subtrees are skipped. */
function visitorOf(type: LinkedType): Visitor | undefined {
  if (!containsType(type, hasDefaults)) return undefined
  if (type.is === 'object') return planOf(type.object) as Visitor
  if (type.is !== 'list' && type.is !== 'map') return undefined
  const visit = visitorOf(type.of)!
  const visitElement = (element: unknown) => {
    if (typeof element === 'object' && element !== null) visit(element)
  }
  return (value) => (Array.isArray(value) ? value : Object.values(value)).forEach(visitElement)
}

function hasDefaults({ fields, defaults }: ObjectType): boolean {
  return defaults !== undefined || fields.some(({ options }) => options.default !== undefined)
}
