/** Validates the device requests of a claim. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import { declareDefaults } from '../../../../schema/schema.js'
import { validateList } from '../device/list-validation.js'
import { validateFullyQualifiedName, validateShortName } from '../device/name-validation.js'
import { validateDeviceConfiguration, validateDeviceSelectors } from '../device/selector-validation.js'
import { validateDeviceTolerations } from '../device/taint-validation.js'
import {
  type DeviceClaim,
  type DeviceClaimConfiguration,
  type DeviceConstraint,
  type DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
} from '../device-request.js'

export const mostRequests = 32
const mostConstraints = 32
export const mostConfigurations = 32
const mostAlternatives = 8

/** The default is one device. */
export function setCountDefaults(request: Draft<Pick<ExactDeviceRequest, 'allocationMode' | 'count'>>): void {
  request.allocationMode ||= 'ExactCount'
  if (request.allocationMode === 'ExactCount') request.count ||= 1
}

export const exactDeviceRequestDefaults = declareDefaults<ExactDeviceRequest>(ExactDeviceRequest, setCountDefaults)
export const deviceSubRequestDefaults = declareDefaults<DeviceSubRequest>(DeviceSubRequest, setCountDefaults)

/** The names of requests in other parts of a claim: `gpu`, and `gpu/big` for an alternative. */
export type RequestNames = ReadonlySet<string>

export function requestNamesOf(claim: DeviceClaim | undefined): RequestNames {
  const names = new Set<string>()
  for (const { name, firstAvailable } of claim?.requests ?? []) {
    names.add(name)
    for (const alternative of firstAvailable ?? []) names.add(`${name}/${alternative.name}`)
  }
  return names
}

export function validateDeviceClaim(claim: DeviceClaim, path: FieldPath): readonly field.FieldError[] {
  const names = requestNamesOf(claim)
  return [
    ...validateList(claim.requests, path.child('requests'), validateRequest, {
      maximum: mostRequests,
      key: ({ name }) => name,
    }),
    ...validateList(
      claim.constraints,
      path.child('constraints'),
      (constraint, at) => validateConstraint(constraint, at, names),
      { maximum: mostConstraints },
    ),
    ...validateList(claim.config, path.child('config'), (config, at) => validateClaimConfiguration(config, at, names), {
      maximum: mostConfigurations,
    }),
  ]
}

const choice = 'exactly one of `exactly` or `firstAvailable` is required'

function validateRequest(request: DeviceRequest, path: FieldPath): readonly field.FieldError[] {
  const { name, exactly } = request
  const firstAvailable = request.firstAvailable ?? []
  const errors = validateShortName(name, path.child('name'))
  if (exactly && firstAvailable.length > 0)
    return [...errors, field.invalid(path, null, `${choice}, but multiple fields are set`)]
  if (exactly) return [...errors, ...validateExactRequest(exactly, path.child('exactly'))]
  if (firstAvailable.length === 0) return [...errors, field.required(path, choice)]
  const rule = (one: DeviceSubRequest, at: FieldPath) => [
    ...validateShortName(one.name, at.child('name')),
    ...validateExactRequest(one, at),
  ]
  return [
    ...errors,
    ...validateList(firstAvailable, path.child('firstAvailable'), rule, {
      maximum: mostAlternatives,
      key: (one) => one.name,
    }),
  ]
}

function validateExactRequest(
  request: ExactDeviceRequest | DeviceSubRequest,
  path: FieldPath,
): readonly field.FieldError[] {
  const { deviceClassName, selectors, tolerations } = request
  const classPath = path.child('deviceClassName')
  return [
    ...(deviceClassName === ''
      ? [field.required(classPath)]
      : field.invalidForEach(classPath, deviceClassName, dnsSubdomain(deviceClassName))),
    ...validateDeviceSelectors(selectors, path.child('selectors')),
    ...validateCount(request, path),
    ...validateDeviceTolerations(tolerations, path.child('tolerations')),
  ]
}

function validateCount(
  { allocationMode, count = 0 }: Pick<ExactDeviceRequest, 'allocationMode' | 'count'>,
  path: FieldPath,
): readonly field.FieldError[] {
  const countPath = path.child('count')
  if (allocationMode === 'All')
    return count === 0
      ? field.none
      : [field.invalid(countPath, count, "must not be specified when allocationMode is 'All'")]
  if (allocationMode !== 'ExactCount')
    return [field.notSupported(path.child('allocationMode'), allocationMode ?? '', ['All', 'ExactCount'])]
  return count > 0 ? field.none : [field.invalid(countPath, count, 'must be greater than zero')]
}

function validateConstraint(
  { requests, matchAttribute, distinctAttribute }: DeviceConstraint,
  path: FieldPath,
  names: RequestNames,
): readonly field.FieldError[] {
  const errors = validateRequestReferences(requests, path.child('requests'), names)
  if (matchAttribute !== undefined)
    return [...errors, ...validateFullyQualifiedName(matchAttribute, path.child('matchAttribute'))]
  if (distinctAttribute !== undefined)
    return [...errors, ...validateFullyQualifiedName(distinctAttribute, path.child('distinctAttribute'))]
  const detail = 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
  return [...errors, field.required(path, detail)]
}

function validateClaimConfiguration(
  config: DeviceClaimConfiguration,
  path: FieldPath,
  names: RequestNames,
): readonly field.FieldError[] {
  return [
    ...validateRequestReferences(config.requests, path.child('requests'), names),
    ...validateDeviceConfiguration(config, path),
  ]
}

export function validateRequestReferences(
  references: readonly string[] | undefined,
  path: FieldPath,
  names: RequestNames,
): readonly field.FieldError[] {
  return validateList(references, path, (name, at) => validateRequestReference(name, at, names), {
    maximum: mostRequests,
    key: (name) => name,
  })
}

export function validateRequestReference(
  name: string,
  path: FieldPath,
  names: RequestNames,
): readonly field.FieldError[] {
  const segments = name.split('/')
  const unknown = field.invalid(
    path,
    name,
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
  )
  if (segments.length > 2) return [unknown]
  return [...segments.flatMap((segment) => validateShortName(segment, path)), ...(names.has(name) ? [] : [unknown])]
}
