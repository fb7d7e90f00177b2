import type { JsonValue } from './declaration.js'
import type { LinkedType, ObjectField, ObjectType } from './model.js'
import { reaches } from './reach.js'
import { zeroTest } from './zero.js'

/**
 * Fills in what a client left out, in place: `draft` must be an object that was just decoded and that nobody else holds. For each
 * object the functions of its rules run first, then the defaults of its fields, then those of what is inside. Doing it twice
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
  const hooks = type.rules.flatMap(({ defaults }) => (defaults ? [defaults as (draft: Draft) => void] : []))
  const steps = [...hooks, ...type.fields.flatMap(defaultStep)]
  const visitors = visitorsIn(type)
  return (draft) => {
    for (const step of steps) step(draft)
    if (visitors.size > 0) visitInside(draft, visitors)
  }
}

type Visitor = (value: object) => void

/** By the name of their field, for those fields in which there is something to do. */
function visitorsIn({ fields }: ObjectType): ReadonlyMap<string, Visitor> {
  const visitors = new Map<string, Visitor>()
  for (const { name, type } of fields) {
    const visit = visitorOf(type)
    if (visit) visitors.set(name, visit)
  }
  return visitors
}

/** Goes by the fields that are there: most that could be are not. */
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
      const value = draft[name]
      if (value === undefined || value === null || isZero(value)) draft[name] = fresh(standard)
    },
  ]
}

/** Drafts are changed in place, so no two may share a default that is a list or an object. */
function fresh(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(fresh)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fresh(part)]))
}

/** Walks into a value; undefined for types in which there is nothing to do, so that whole subtrees are passed over. */
function visitorOf(type: LinkedType): Visitor | undefined {
  if (!reaches(type, hasDefaults)) return undefined
  if (type.is === 'object') return planOf(type.object) as Visitor
  if (type.is !== 'list' && type.is !== 'map') return undefined
  const visit = visitorOf(type.of)!
  const visitElement = (element: unknown) => {
    if (typeof element === 'object' && element !== null) visit(element)
  }
  return (value) => (Array.isArray(value) ? value : Object.values(value)).forEach(visitElement)
}

function hasDefaults({ fields, rules }: ObjectType): boolean {
  return (
    rules.some(({ defaults }) => defaults !== undefined) || fields.some(({ options }) => options.default !== undefined)
  )
}
