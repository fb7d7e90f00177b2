import type { Constraints, Rules } from './declaration.js'
import type { FieldError } from './field-errors.js'
import * as field from './field-errors.js'
import { FieldPath } from './field-path.js'
import type { LinkedType, ObjectField, ObjectType } from './model.js'
import { reaches } from './reach.js'
import { isEmpty } from './zero.js'

/**
 * Everything that is wrong with a decoded object, in the order of its fields: the constraints that the declaration states, and for
 * each object inside, after its fields, the rules that tie fields together. `old` is what the object replaces, on update.
 */
export function validate(type: ObjectType, object: object, old?: object): readonly FieldError[] {
  const errors: FieldError[] = []
  checkOf(type)(object as Value, { path: FieldPath.none, old: old as Value | undefined, errors })
  return errors
}

type Value = Record<string, unknown>

interface Context {
  readonly path: FieldPath
  readonly old: Value | undefined
  readonly errors: FieldError[]
}

type Check<V> = (value: V, context: Context) => void

const checks = new WeakMap<ObjectType, Check<Value>>()

function checkOf(type: ObjectType): Check<Value> {
  const known = checks.get(type)
  if (known) return known
  let compiled: Check<Value> | undefined
  const check: Check<Value> = (value, context) => {
    compiled ??= compile(type)
    compiled(value, context)
  }
  checks.set(type, check)
  return check
}

function compile(type: ObjectType): Check<Value> {
  const steps = [...type.fields.flatMap(fieldSteps), ...type.rules.flatMap(ruleStep)]
  return (value, context) => {
    for (const step of steps) step(value, context)
  }
}

function fieldSteps(declared: ObjectField): Check<Value>[] {
  return [...constraintStep(declared), ...descendStep(declared)]
}

function constraintStep({ name, type, options }: ObjectField): Check<Value>[] {
  const { constraints } = options
  if (!constraints) return []
  const supported = constraints.supported && type.is === 'enumeration' ? [...type.values].sort() : undefined
  return [
    (value, { path, errors }) => {
      const error = violation(value[name], constraints, { path, name, supported })
      if (error) errors.push(error)
    },
  ]
}

interface Place {
  readonly path: FieldPath
  readonly name: string
  readonly supported: readonly string[] | undefined
}

/** The first constraint that a value breaks. An absent one only breaks that it must be there. */
function violation(value: unknown, constraints: Constraints, place: Place): FieldError | undefined {
  if (value === undefined || value === null || value === '')
    return constraints.nonEmpty ? field.required(place.path.child(place.name)) : undefined
  if (typeof value === 'number') return numberViolation(value, constraints, place)
  if (typeof value === 'string') return textViolation(value, constraints, place)
  return sizeViolation(value, constraints, place)
}

function numberViolation(
  value: number,
  { minimum, maximum }: Constraints,
  { path, name }: Place,
): FieldError | undefined {
  const tooSmall = minimum !== undefined && value < minimum
  const tooLarge = maximum !== undefined && value > maximum
  if (!tooSmall && !tooLarge) return undefined
  return field.invalid(path.child(name), value, rangeWords(minimum, maximum))
}

function rangeWords(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return `must be between ${minimum} and ${maximum}, inclusive`
  return minimum !== undefined
    ? `must be greater than or equal to ${minimum}`
    : `must be less than or equal to ${maximum}`
}

function textViolation(value: string, { maxLength }: Constraints, place: Place): FieldError | undefined {
  const { path, name, supported } = place
  if (supported && !supported.includes(value)) return field.notSupported(path.child(name), value, supported)
  if (maxLength !== undefined && Buffer.byteLength(value) > maxLength) return field.tooLong(path.child(name), maxLength)
  return undefined
}

function sizeViolation(
  value: unknown,
  { nonEmpty, maxItems }: Constraints,
  { path, name }: Place,
): FieldError | undefined {
  if (nonEmpty && isEmpty(value)) return field.required(path.child(name))
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
  if (maxItems !== undefined && size > maxItems) return field.tooMany(path.child(name), size, maxItems)
  return undefined
}

function descendStep({ name, type }: ObjectField): Check<Value>[] {
  const visit = visitorOf(type)
  if (!visit) return []
  return [
    (value, { path, old, errors }) => {
      const inside = value[name]
      if (typeof inside !== 'object' || inside === null) return
      visit(inside as Value, { path: path.child(name), old: old?.[name] as Value | undefined, errors })
    },
  ]
}

/** Walks into a value; undefined for types in which there is nothing to check. */
function visitorOf(type: LinkedType): Check<Value> | undefined {
  if (!reaches(type, hasChecks)) return undefined
  if (type.is === 'object') return checkOf(type.object)
  if (type.is === 'list') return listVisitor(visitorOf(type.of)!)
  return type.is === 'map' ? mapVisitor(visitorOf(type.of)!) : undefined
}

/** Elements of lists have no old self: which one that would be is for the rules of their kind to say. */
function listVisitor(visit: Check<Value>): Check<Value> {
  return (value, { path, errors }) => {
    const list = value as unknown as readonly Value[]
    for (let i = 0; i < list.length; i++) if (list[i]) visit(list[i]!, { path: path.index(i), old: undefined, errors })
  }
}

function mapVisitor(visit: Check<Value>): Check<Value> {
  return (value, { path, old, errors }) => {
    for (const [key, element] of Object.entries(value))
      if (element) visit(element as Value, { path: path.key(key), old: old?.[key] as Value | undefined, errors })
  }
}

function hasChecks({ fields, rules }: ObjectType): boolean {
  return (
    rules.some(({ validate: rule }) => rule !== undefined) ||
    fields.some(({ options }) => options.constraints !== undefined)
  )
}

function ruleStep({ validate: rule }: Rules): Check<Value>[] {
  if (!rule) return []
  const check = rule as unknown as (value: Value, context: Omit<Context, 'errors'>) => Iterable<FieldError>
  return [(value, { path, old, errors }) => void errors.push(...check(value, { path, old }))]
}
