import { setMember } from '../json-value.js'
import { type Decode, irregular } from './scalar-decoders.js'

/** How one field of an object is decoded. */
export interface FieldPlan {
  readonly name: string
  readonly decode: Decode
  /** Makes the value of a field that is not set; undefined if the field is then omitted. */
  readonly absent: (() => unknown) | undefined
}

/** Makes the decoder of the objects of one type from the plans of its fields, in canonical order. */
export type ObjectDecoder = (typeName: string, plans: readonly FieldPlan[]) => Decode

/**
 * Counts the object members that decoders read; the caller resets it. Decoding is synchronous, so one counter is enough. Members whose
 * value is undefined do not count: objects made in this process have them, parsed ones never do.
 */
export const counter = { members: 0 }

/** The simple implementation: it interprets the plans. `compiledObjectDecoder` gives the same results faster. */
export const interpretedObjectDecoder: ObjectDecoder = (_typeName, plans) => {
  const positions = new Map(plans.map(({ name }, position) => [name, position]))
  return (input) => {
    if (input === null) return undefined
    if (typeof input !== 'object' || Array.isArray(input)) throw irregular
    return decodeFields(plans, valuesByPosition(input as Record<string, unknown>, positions))
  }
}

/** Iterates over the members of the input, because an object sets few of the fields that its type has. */
function valuesByPosition(input: Record<string, unknown>, positions: ReadonlyMap<string, number>): readonly unknown[] {
  const values: unknown[] = new Array(positions.size).fill(undefined)
  for (const key in input) {
    const value = input[key]
    if (value === undefined) continue
    const position = positions.get(key)
    if (position === undefined) throw irregular
    values[position] = value
    counter.members++
  }
  return values
}

function decodeFields(plans: readonly FieldPlan[], values: readonly unknown[]): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (let position = 0; position < values.length; position++) {
    const value = values[position]
    const { name, decode, absent } = plans[position]!
    const decoded = value === undefined ? absent?.() : decode(value)
    if (decoded !== undefined) setMember(result, name, decoded)
  }
  return result
}
