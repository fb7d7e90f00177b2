/**
 * The smallest whole example of a kind: this file alone gives it decoding, defaults, validation, OpenAPI documents, patching, apply
 * and a table. `toy-kind.test.ts` proves it.
 */
import { objectMetadata } from '../../api/meta/v1/object-meta.js'
import * as field from '../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../schema/field-path.js'
import { bool, enumeration, int32, list, map, oneOf, quantity, ref, string, type Values } from '../../schema/fields.js'
import type { Infer, Instance } from '../../schema/infer.js'
import {
  ageColumn,
  column,
  declareDefaults,
  declareTable,
  kind,
  nameColumn,
  objectSubresource,
  schema,
} from '../../schema/schema.js'
import { declareStrategy } from '../../schema/strategy.js'

export const Rigging = enumeration('fleet/v1.Rigging', ['CrabClaw', 'Lateen'])
export type Rigging = Values<typeof Rigging>

export const Boat = kind('fleet/v1.Boat', {
  optional: {
    metadata: objectMetadata,
    spec: ref<BoatSpec>(2, 'fleet/v1.BoatSpec', { always: true }),
    status: ref<BoatStatus>(3, 'fleet/v1.BoatStatus', { always: true }),
  },
  resource: {
    plural: 'boats',
    shortNames: ['bt'],
    namespaced: true,
    subresources: { status: objectSubresource },
    columns: [nameColumn, column('Rigging', { path: '.spec.rigging' }), column('Crew'), ageColumn],
  },
})
export interface Boat extends Instance<typeof Boat> {}

export const BoatSpec = schema('fleet/v1.BoatSpec', {
  required: {
    sails: list(1, ref<Sail>('fleet/v1.Sail'), { keys: ['name'], mergeKey: 'name' }),
  },
  optional: {
    rigging: oneOf(2, Rigging, { default: 'CrabClaw' }),
    minCrew: int32(3, { default: 1, keepZero: true }),
    maxCrew: int32(4, { keepZero: true }),
    cargo: map(5, quantity),
    racing: bool(6),
    flags: list(7, string, { set: true, patch: 'merge' }),
  },
})
export interface BoatSpec extends Infer<typeof BoatSpec> {}

export const Sail = schema('fleet/v1.Sail', {
  required: { name: string(1) },
  optional: { area: int32(2) },
})
export interface Sail extends Infer<typeof Sail> {}

export const BoatStatus = schema('fleet/v1.BoatStatus', { optional: { crew: int32(1) } })
export interface BoatStatus extends Infer<typeof BoatStatus> {}

export const boatSpecDefaults = declareDefaults<BoatSpec>(BoatSpec, (spec) => {
  spec.maxCrew ??= Math.max(spec.minCrew ?? 1, 4)
})

export const boatTable = declareTable<Boat>(Boat, {
  Crew: ({ spec, status }) => `${status.crew ?? 0}/${spec.maxCrew}`,
})

const specPath = fieldPath('spec')

export const boatStrategy = declareStrategy<Boat>(Boat, {
  validate: ({ spec }) => validateSpec(spec),
  *validateUpdate({ spec }, old) {
    yield* validateSpec(spec)
    if (old.spec.rigging !== spec.rigging) yield field.forbidden(specPath.child('rigging'), 'may not change once built')
  },
})

function* validateSpec({ sails, rigging, minCrew = 0, maxCrew = 0 }: BoatSpec): Iterable<field.FieldError> {
  const sailsPath = specPath.child('sails')
  if (!sails || sails.length === 0) yield field.required(sailsPath)
  for (const [i, sail] of (sails ?? []).entries()) yield* validateSail(sail, sailsPath.index(i))
  const { values } = Rigging.type
  if (rigging && !values.includes(rigging)) yield field.notSupported(specPath.child('rigging'), rigging, values)
  if (maxCrew < minCrew) yield field.invalid(specPath.child('maxCrew'), maxCrew, 'must not be less than minCrew')
}

function* validateSail({ name, area = 1 }: Sail, path: FieldPath): Iterable<field.FieldError> {
  if (!name) yield field.required(path.child('name'))
  if (area < 1) yield field.invalid(path.child('area'), area, 'must be positive')
}
