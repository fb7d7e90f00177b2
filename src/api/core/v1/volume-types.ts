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
  const checks = new Map(Object.entries(types)) as unknown as ReadonlyMap<string, AnyCheck>
  const order = [...checks.keys()]
  return (volume, path, errors, context) => {
    // Volumes have few fields, and there are many types: what is there is looked up, and put in order where it is several.
    const found = Object.keys(volume).filter((name) => volume[name as keyof V] && checks.has(name))
    if (found.length > 1) found.sort((left, right) => order.indexOf(left) - order.indexOf(right))
    for (const [i, name] of found.entries())
      if (i > 0 && name !== uncounted)
        errors.push(field.forbidden(path.child(surplus[name] ?? name), 'may not specify more than 1 volume type'))
      else checks.get(name)!(volume[name as keyof V], path.child(inside[name] ?? name), errors, context)
    if (found.length === 0) errors.push(field.required(path, 'must specify a volume type'))
  }
}
