import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'

/**
 * The types of storage that a volume can be, in the order in which they are looked at, each with the check of what it says.
 * `C` is what the checks need to know beyond that.
 */
export type VolumeTypes<V, C> = {
  readonly [K in keyof V]?: (source: NonNullable<V[K]>, path: FieldPath, errors: FieldError[], context: C) => void
}

/** Names in error messages that differ from those of the fields, and have done so for too long to change. */
export interface OddNames {
  /** Said of the storage itself. */
  readonly inside?: Readonly<Record<string, string>>
  /** Said when it is one too many. */
  readonly surplus?: Readonly<Record<string, string>>
}

type AnyCheck = (source: unknown, path: FieldPath, errors: FieldError[], context: unknown) => void

/**
 * A checker of volumes that must be of exactly one type: what the first type says is checked, and every further one refused.
 * Types in `uncounted` are never one too many.
 */
export function oneVolumeType<V extends object, C>(
  types: VolumeTypes<V, C>,
  { inside = {}, surplus = {} }: OddNames = {},
  uncounted?: keyof V & string,
): (volume: V, path: FieldPath, errors: FieldError[], context: C) => void {
  const checks = Object.entries(types) as [keyof V & string, AnyCheck][]
  const known = new Map<string, VolumeType<V>>(
    checks.map(([name, check], place) => [
      name,
      { name, place, check, inside: inside[name] ?? name, surplus: surplus[name] ?? name },
    ]),
  )
  return (volume, path, errors, context) => {
    const found = typesOf(volume, known)
    for (const [i, { name, check, inside, surplus }] of found.entries())
      if (i > 0 && name !== uncounted)
        errors.push(field.forbidden(path.child(surplus), 'may not specify more than 1 volume type'))
      else check(volume[name], path.child(inside), errors, context)
    if (found.length === 0) errors.push(field.required(path, 'must specify a volume type'))
  }
}

interface VolumeType<V> {
  readonly name: keyof V & string
  /** Among the others, in the order in which they are looked at. */
  readonly place: number
  readonly check: AnyCheck
  readonly inside: string
  readonly surplus: string
}

/** A volume has few fields and there are many types, so it is the fields that are gone through. */
function typesOf<V extends object>(volume: V, known: ReadonlyMap<string, VolumeType<V>>): readonly VolumeType<V>[] {
  const found: VolumeType<V>[] = []
  for (const name in volume) {
    const type = volume[name] ? known.get(name) : undefined
    if (type) found.push(type)
  }
  return found.length > 1 ? found.sort((left, right) => left.place - right.place) : found
}
