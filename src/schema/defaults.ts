import type { JsonValue } from './declaration.js'
import type { LinkedType, ObjectField, ObjectType } from './model.js'
import { reaches } from './reach.js'
import { isZero } from './zero.js'

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
  const steps = [...hooks, ...type.fields.flatMap(defaultStep), ...type.fields.flatMap(descendStep)]
  return (draft) => {
    for (const step of steps) step(draft)
  }
}

function defaultStep({ name, type, absent, options }: ObjectField): Plan[] {
  const { default: standard, keepZero } = options
  const zeroCounts = keepZero || absent === 'null'
  if (standard === undefined || (!zeroCounts && isZero(type, standard))) return []
  const isUnset = zeroCounts
    ? (value: unknown) => value === undefined || value === null
    : (value: unknown) => value === undefined || value === null || isZero(type, value)
  return [
    (draft) => {
      if (isUnset(draft[name])) draft[name] = fresh(standard)
    },
  ]
}

/** Drafts are changed in place, so no two may share a default that is a list or an object. */
function fresh(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(fresh)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fresh(part)]))
}

function descendStep({ name, type }: ObjectField): Plan[] {
  const visit = visitorOf(type)
  if (!visit) return []
  return [
    (draft) => {
      const value = draft[name]
      if (typeof value === 'object' && value !== null) visit(value)
    },
  ]
}

/** Walks into a value; undefined for types in which there is nothing to do, so that whole subtrees are passed over. */
function visitorOf(type: LinkedType): ((value: object) => void) | undefined {
  if (!reaches(type, hasDefaults)) return undefined
  switch (type.is) {
    case 'object':
      return planOf(type.object) as (value: object) => void
    case 'list':
    case 'map': {
      const visit = visitorOf(type.of)!
      return (value) => {
        for (const element of Object.values(value)) if (typeof element === 'object' && element !== null) visit(element)
      }
    }
    default:
      return undefined
  }
}

function hasDefaults({ fields, rules }: ObjectType): boolean {
  return (
    rules.some(({ defaults }) => defaults !== undefined) || fields.some(({ options }) => options.default !== undefined)
  )
}
