/**
 * The smallest whole example of a kind: this file alone gives it decoding, defaults, validation, OpenAPI documents, patching, apply
 * and a table. `toy-kind.test.ts` proves it.
 */
import { objectMetadata } from '../api/meta/v1/object-meta.js'
import * as field from '../schema/field-errors.js'
import { bool, enumeration, int32, list, map, oneOf, quantity, ref, string, type Values } from '../schema/fields.js'
import type { Infer, Instance } from '../schema/infer.js'
import { rules } from '../schema/rules.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../schema/schema.js'

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
    sails: list(1, ref<Sail>('fleet/v1.Sail'), { keys: ['name'], mergeKey: 'name', constraints: { nonEmpty: true } }),
  },
  optional: {
    rigging: oneOf(2, Rigging, { default: 'CrabClaw', constraints: { supported: true } }),
    minCrew: int32(3, { default: 1, keepZero: true, constraints: { minimum: 0 } }),
    maxCrew: int32(4, { keepZero: true }),
    cargo: map(5, quantity),
    racing: bool(6),
    flags: list(7, string, { set: true, patch: 'merge' }),
  },
})
export interface BoatSpec extends Infer<typeof BoatSpec> {}

export const Sail = schema('fleet/v1.Sail', {
  required: { name: string(1, { constraints: { nonEmpty: true, maxLength: 20 } }) },
  optional: { area: int32(2, { constraints: { minimum: 1, maximum: 500 } }) },
})
export interface Sail extends Infer<typeof Sail> {}

export const BoatStatus = schema('fleet/v1.BoatStatus', { optional: { crew: int32(1) } })
export interface BoatStatus extends Infer<typeof BoatStatus> {}

export const boatSpecRules = rules<BoatSpec>(BoatSpec, {
  defaults(spec) {
    spec.maxCrew ??= Math.max(spec.minCrew ?? 1, 4)
  },
  *validate({ minCrew = 0, maxCrew = 0, rigging }, { path, old }) {
    if (maxCrew < minCrew) yield field.invalid(path.child('maxCrew'), maxCrew, 'must not be less than minCrew')
    if (old && old.rigging !== rigging) yield field.forbidden(path.child('rigging'), 'may not change once built')
  },
})

export const boatRules = rules<Boat>(Boat, {
  cells: { Crew: ({ spec, status }) => `${status.crew ?? 0}/${spec.maxCrew}` },
})
