import { setMember } from '../json-value.js'
import { counter, type FieldPlan, type ObjectDecoder } from './object-decoder.js'
import { type Decode, irregular } from './scalar-decoders.js'

/**
 * The fast implementation of `ObjectDecoder`: it generates a function for the type and lets the engine compile it. That takes as long as
 * decoding a thousand small objects, and halves the time for each object from then on. Code that handles all types sees objects of every
 * shape, so the engine looks up each member by name; in a function for one type it sees few shapes and caches their layout.
 *
 * For a type with the fields `name` and `count`, of which the first is never omitted, the function is:
 *
 *     let v0, v1
 *     for (const key in input) {
 *       const value = input[key]
 *       if (value === undefined) continue
 *       counter.members++
 *       switch (key) {
 *         case "name": v0 = value; break
 *         case "count": v1 = value; break
 *         default: throw irregular
 *       }
 *     }
 *     const result = {}
 *     if (v0 === undefined) v0 = absent0(); else v0 = decode0(v0)
 *     if (v0 !== undefined) result["name"] = v0
 *     if (v1 !== undefined) v1 = decode1(v1)
 *     if (v1 !== undefined) result["count"] = v1
 *     return result
 *
 * Type and field names may come from clients (custom resources). Field names are string literals in the generated code, and the type
 * name is part of a comment, from which every special character is removed.
 */
export const compiledObjectDecoder: ObjectDecoder = (typeName, plans) => {
  const code = `
    ${plans.map(constants).join('\n')}
    return (input) => {
      if (input === null) return undefined
      if (typeof input !== 'object' || Array.isArray(input)) throw irregular
      ${plans.map((_, position) => `let v${position}`).join('\n')}
      for (const key in input) {
        const value = input[key]
        if (value === undefined) continue
        counter.members++
        switch (key) {
          ${plans.map(({ name }, position) => `case ${literal(name)}: v${position} = value; break`).join('\n')}
          default: throw irregular
        }
      }
      const result = {}
      ${plans.map(storeField).join('\n')}
      return result
    }
    //# sourceURL=decoder-of-${typeName.replaceAll(/[^\w./-]/g, '_')}`
  const make = new Function('plans', 'counter', 'irregular', 'setMember', code)
  return make(plans, counter, irregular, setMember) as Decode
}

/** JSON text may contain U+2028 and U+2029, which are valid in JavaScript literals as well. */
function literal(name: string): string {
  return JSON.stringify(name)
}

function constants({ absent }: FieldPlan, position: number): string {
  const decode = `const decode${position} = plans[${position}].decode`
  return absent ? `${decode}, absent${position} = plans[${position}].absent` : decode
}

function storeField({ name, absent }: FieldPlan, position: number): string {
  const v = `v${position}`
  const decode = `${v} = decode${position}(${v})`
  const value = absent
    ? `if (${v} === undefined) ${v} = absent${position}(); else ${decode}`
    : `if (${v} !== undefined) ${decode}`
  return `${value}
      if (${v} !== undefined) ${assign(name, v)}`
}

/** A plain assignment to `__proto__` would change the prototype of the result. */
function assign(name: string, value: string): string {
  const key = literal(name)
  return name === '__proto__' ? `setMember(result, ${key}, ${value})` : `result[${key}] = ${value}`
}
