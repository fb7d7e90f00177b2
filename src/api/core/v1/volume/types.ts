import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'

/**
 * The types of a volume in the order of validation, each with its check. `C` is the context of the checks.
 */
export type VolumeTypes<V, C> = {
  readonly [K in keyof V]?: (source: NonNullable<V[K]>, path: FieldPath, errors: FieldError[], context: C) => void
}

/** Names in upstream's error messages that differ from those of the fields. */
export interface OddNames {
  /** In errors inside the source. */
  readonly inside?: Readonly<Record<string, string>>
  /** In errors about a second type. */
  readonly surplus?: Readonly<Record<string, string>>
}

type AnyCheck = (source: unknown, path: FieldPath, errors: FieldError[], context: unknown) => void

/**
 * Returns a check for volumes of exactly one type: it validates the first type and rejects every further one. Types in `uncounted` are
 * never rejected.
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
  /** The position in the order of validation. */
  readonly place: number
  readonly check: AnyCheck
  readonly inside: string
  readonly surplus: string
}

/** Iterates over the fields of the volume, which are far fewer than the types. */
function typesOf<V extends object>(volume: V, known: ReadonlyMap<string, VolumeType<V>>): readonly VolumeType<V>[] {
  const found: VolumeType<V>[] = []
  for (const name in volume) {
    const type = volume[name] ? known.get(name) : undefined
    if (type) found.push(type)
  }
  return found.length > 1 ? found.sort((left, right) => left.place - right.place) : found
}
