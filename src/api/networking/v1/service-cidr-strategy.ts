import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { cidr } from '../../../schema/values/addresses.js'
import { parseCidr } from '../../../schema/values/ip-address.js'
import { immutable } from '../../validation/immutability.js'
import { ServiceCIDR } from './service-cidr.js'

export const serviceCidrTable = declareTable<ServiceCIDR>(ServiceCIDR, {
  CIDRs: ({ spec }) => (spec.cidrs ?? []).join(','),
})

/** The status can be written with the object or through its subresource. */
export const serviceCidrStrategy = declareStrategy<ServiceCIDR>(ServiceCIDR, {
  prepareCreate() {},
  prepareUpdate() {},
  validate: validateServiceCidr,
  validateUpdate: validateServiceCidrUpdate,
  subresources: { status: { validateUpdate: () => [] } },
})

const cidrsPath = fieldPath('spec', 'cidrs')

function* validateServiceCidr({ spec }: ServiceCIDR): Iterable<field.FieldError> {
  const { cidrs = [] } = spec
  if (cidrs.length === 0) {
    yield field.required(cidrsPath, 'at least one CIDR required')
    return
  }
  if (cidrs.length > 2) {
    yield field.invalid(cidrsPath, { CIDRs: cidrs }, 'may only hold up to 2 values')
    return
  }
  for (const [i, range] of cidrs.entries()) yield* cidr(cidrsPath.index(i), range, 'canonical')
  const families = cidrs.map((range) => parseCidr(range)?.address.bytes.length)
  if (families.length === 2 && families[0] !== undefined && families[0] === families[1])
    yield field.invalid(
      cidrsPath,
      cidrs,
      'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    )
}

/** Existing ranges are immutable; a second one can be added. */
function* validateServiceCidrUpdate(object: ServiceCIDR, old: ServiceCIDR): Iterable<field.FieldError> {
  const cidrs = object.spec.cidrs ?? []
  const before = old.spec.cidrs ?? []
  const isExtended = before.length === 1 && cidrs.length === 2
  if (before.length !== cidrs.length && !isExtended) {
    yield field.invalid(cidrsPath, object.spec.cidrs, immutable)
    return
  }
  for (const [i, range] of before.entries())
    if (range !== cidrs[i]) yield field.invalid(cidrsPath.index(i), cidrs[i], immutable)
  if (isExtended) yield* validateServiceCidr(object)
}
