import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'

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
  const entries = Object.entries(types) as [keyof V & string, AnyCheck][]
  return (volume, path, errors, context) => {
    let found = false
    for (const [name, check] of entries) {
      const source = volume[name]
      if (!source) continue
      if (found && name !== uncounted)
        errors.push(field.forbidden(path.child(surplus[name] ?? name), 'may not specify more than 1 volume type'))
      else check(source, path.child(inside[name] ?? name), errors, context)
      found = true
    }
    if (!found) errors.push(field.required(path, 'must specify a volume type'))
  }
}
