import { type Decode, irregular } from './decode-scalars.js'

/**
 * Decoding the members of an object, in two ways with the same result. `interpreted` walks the plans of the fields; it is ready at
 * once, and right for the many types of which a process sees few objects. `compiled` writes a function for the one type and has the
 * engine compile it: that takes as long as decoding a thousand small objects, and halves the time of each from then on.
 *
 * What makes the difference: code that every type goes through meets objects of every form, and so the engine looks up each member by
 * name, for reading and for writing. In a function of its own a type meets its own few forms, and the engine remembers where things are.
 */
export interface FieldPlan {
  readonly name: string
  readonly decode: Decode
  /** What stands in when the field is not given; undefined for nothing. */
  readonly absent: (() => unknown) | undefined
}

/**
 * How many object members have been seen, for whoever sets it to zero before. Decoding is synchronous, so one counter is enough.
 * Keys whose value is undefined do not count: objects made in this process have them, parsed ones never.
 */
export const seen = { members: 0 }

export function interpreted(plans: readonly FieldPlan[]): Decode {
  const places = new Map(plans.map(({ name }, place) => [name, place]))
  return (input) => {
    if (input === null) return undefined
    if (typeof input !== 'object' || Array.isArray(input)) throw irregular
    return decodeFields(plans, placed(input as Record<string, unknown>, places))
  }
}

/**
 * The members that are given, each in the place of its field. An object has few of the fields that its type has: asking it for all
 * of them took most of the time.
 */
function placed(given: Record<string, unknown>, places: ReadonlyMap<string, number>): readonly unknown[] {
  const slots: unknown[] = new Array(places.size).fill(undefined)
  for (const key in given) {
    const value = given[key]
    if (value === undefined) continue
    const place = places.get(key)
    if (place === undefined) throw irregular
    slots[place] = value
    seen.members++
  }
  return slots
}

function decodeFields(plans: readonly FieldPlan[], slots: readonly unknown[]): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (let place = 0; place < slots.length; place++) {
    const value = slots[place]
    const plan = plans[place]!
    const decoded = value === undefined ? plan.absent?.() : plan.decode(value)
    if (decoded !== undefined) result[plan.name] = decoded
  }
  return result
}

/**
 * The same with a variable for each slot. For a type with the fields `name` and `count`, of which the first has a stand-in:
 *
 *     let v0, v1
 *     for (const key in input) {
 *       const value = input[key]
 *       if (value === undefined) continue
 *       seen.members++
 *       switch (key) {
 *         case "name": v0 = value; break
 *         case "count": v1 = value; break
 *         default: throw irregular
 *       }
 *     }
 *     const result = {}
 *     v0 = v0 === undefined ? absent0() : decode0(v0)
 *     if (v0 !== undefined) result["name"] = v0
 *     if (v1 !== undefined) v1 = decode1(v1)
 *     if (v1 !== undefined) result["count"] = v1
 *     return result
 *
 * Of the declaration nothing gets into the text but the names of its fields, quoted. Profiles show it under the name of the type.
 */
export function compiled(typeName: string, plans: readonly FieldPlan[]): Decode {
  const text = `
    ${plans.map(constants).join('\n')}
    return (input) => {
      if (input === null) return undefined
      if (typeof input !== 'object' || Array.isArray(input)) throw irregular
      ${plans.map((_, place) => `let v${place}`).join('\n')}
      for (const key in input) {
        const value = input[key]
        if (value === undefined) continue
        seen.members++
        switch (key) {
          ${plans.map(({ name }, place) => `case ${JSON.stringify(name)}: v${place} = value; break`).join('\n')}
          default: throw irregular
        }
      }
      const result = {}
      ${plans.map(store).join('\n')}
      return result
    }
    //# sourceURL=decoder of ${typeName}`
  return new Function('plans', 'seen', 'irregular', text)(plans, seen, irregular) as Decode
}

function constants({ absent }: FieldPlan, place: number): string {
  const decode = `const decode${place} = plans[${place}].decode`
  return absent ? `${decode}, absent${place} = plans[${place}].absent` : decode
}

function store({ name, absent }: FieldPlan, place: number): string {
  const v = `v${place}`
  const decoded = `${v} = decode${place}(${v})`
  return `${absent ? `if (${v} === undefined) ${v} = absent${place}(); else ${decoded}` : `if (${v} !== undefined) ${decoded}`}
      if (${v} !== undefined) result[${JSON.stringify(name)}] = ${v}`
}
