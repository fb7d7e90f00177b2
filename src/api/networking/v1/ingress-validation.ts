import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { portName } from '../../../schema/identifiers.js'
import { dnsLabel, dnsSubdomain, type Messages, pathSegment, wildcardSubdomain } from '../../../schema/names.js'
import { parseIp } from '../../../schema/values/ip-address.js'
import type { TypedLocalObjectReference } from '../../core/v1/object-reference.js'
import { validateBalancerHostname, validateBalancerIp } from '../../core/v1/service/load-balancer-validation.js'
import { validatePortNumber } from '../../validation/ports.js'
import type {
  HTTPIngressPath,
  Ingress,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressTLS,
} from './ingress.js'

const specPath = fieldPath('spec')

/** Validations to skip, because the old ingress is invalid under them. */
interface Leniency {
  readonly anySecretName: boolean
  /** Rules for wildcard hosts. */
  readonly anyWildcardRule: boolean
}

/** The annotation that preceded the field. */
export const classAnnotation = 'kubernetes.io/ingress.class'

export function* validateIngress(ingress: Ingress): Iterable<field.FieldError> {
  yield* validateSpec(ingress, { anySecretName: false, anyWildcardRule: false })
  const annotated = ingress.metadata.annotations?.[classAnnotation]
  const { ingressClassName } = ingress.spec
  if (annotated !== undefined && ingressClassName !== undefined && annotated !== ingressClassName)
    yield field.invalid(
      fieldPath('annotations', classAnnotation),
      annotated,
      'must match `ingressClassName` when both are specified',
    )
}

export function validateIngressUpdate(ingress: Ingress, { spec }: Ingress): Iterable<field.FieldError> {
  const wildcards = (spec.rules ?? []).filter(({ host }) => host?.includes('*'))
  return validateSpec(ingress, {
    anySecretName: (spec.tls ?? []).some(({ secretName }) => secretNameMessages(secretName).length > 0),
    anyWildcardRule: wildcards.some((rule) => [...validateRule(rule, specPath)].length > 0),
  })
}

function* validateSpec({ spec }: Ingress, leniency: Leniency): Iterable<field.FieldError> {
  const { defaultBackend, rules = [], tls = [], ingressClassName } = spec
  if (rules.length === 0 && !defaultBackend)
    yield field.invalid(specPath, null, 'either `defaultBackend` or `rules` must be specified')
  if (defaultBackend) yield* validateBackend(defaultBackend, specPath.child('defaultBackend'))
  for (const [i, rule] of rules.entries()) {
    const path = specPath.child('rules').index(i)
    yield* validateHost(rule.host ?? '', path.child('host'))
    if (!leniency.anyWildcardRule || !rule.host?.includes('*')) yield* validateRule(rule, path)
  }
  for (const [i, entry] of tls.entries()) yield* validateTls(entry, specPath.child('tls').index(i), leniency)
  if (ingressClassName !== undefined)
    yield* field.invalidForEach(specPath.child('ingressClassName'), ingressClassName, dnsSubdomain(ingressClassName))
}

function* validateHost(host: string, path: FieldPath): Iterable<field.FieldError> {
  if (host === '') return
  if (parseIp(host)) yield field.invalid(path, host, 'must be a DNS name, not an IP address')
  yield* field.invalidForEach(path, host, hostMessages(host))
}

function hostMessages(host: string): Messages {
  return host.includes('*') ? wildcardSubdomain(host) : dnsSubdomain(host)
}

function* validateRule({ http }: IngressRule, path: FieldPath): Iterable<field.FieldError> {
  if (!http) return
  const pathsPath = path.child('http', 'paths')
  const paths = http.paths ?? []
  if (paths.length === 0) yield field.required(pathsPath)
  for (const [i, one] of paths.entries()) yield* validatePath(one, pathsPath.index(i))
}

function* validatePath({ path = '', pathType, backend }: HTTPIngressPath, at: FieldPath): Iterable<field.FieldError> {
  const typePath = at.child('pathType')
  if (pathType === undefined || pathType === null) {
    yield field.required(typePath, 'pathType must be specified')
    return
  }
  if (pathType === 'Exact' || pathType === 'Prefix') yield* validateMatchedPath(path, at.child('path'))
  else if (pathType === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) yield field.invalid(at.child('path'), path, 'must be an absolute path')
  } else yield field.notSupported(typePath, pathType, ['Exact', 'ImplementationSpecific', 'Prefix'])
  yield* validateBackend(backend, at.child('backend'))
}

const forbiddenParts = ['//', '/./', '/../', '%2f', '%2F'] as const
const forbiddenEnds = ['/..', '/.'] as const

function* validateMatchedPath(path: string, at: FieldPath): Iterable<field.FieldError> {
  if (!path.startsWith('/')) yield field.invalid(at, path, 'must be an absolute path')
  for (const part of forbiddenParts)
    if (path.includes(part)) yield field.invalid(at, path, `must not contain '${part}'`)
  for (const end of forbiddenEnds) if (path.endsWith(end)) yield field.invalid(at, path, `cannot end with '${end}'`)
}

function* validateBackend({ resource, service }: IngressBackend, path: FieldPath): Iterable<field.FieldError> {
  if (resource && service) yield field.invalid(path, '', 'cannot set both resource and service backends')
  else if (resource) yield* validateReference(resource, path.child('resource'))
  else if (service) yield* validateServiceBackend(service, path)
  else yield field.invalid(path, '', 'resource or service backend is required')
}

function* validateServiceBackend(service: IngressServiceBackend, path: FieldPath): Iterable<field.FieldError> {
  const { name: serviceName, port: { name = '', number = 0 } = {} } = service
  const servicePath = path.child('service')
  if (serviceName === '') yield field.required(servicePath.child('name'))
  else yield* field.invalidForEach(servicePath.child('name'), serviceName, dnsLabel(serviceName))
  if (name !== '' && number !== 0) yield field.invalid(path, '', 'cannot set both port name & port number')
  else if (name !== '') yield* field.invalidForEach(servicePath.child('port', 'name'), name, portName(name))
  else if (number !== 0) yield* validatePortNumber(number, servicePath.child('port', 'number'))
  else yield field.required(path, 'port name or number is required')
}

/** Validates a reference to an object of any kind, in a backend or in the parameters of a class. */
export function* validateReference(
  reference: Omit<TypedLocalObjectReference, 'apiGroup'> & { readonly apiGroup?: string | null },
  path: FieldPath,
): Iterable<field.FieldError> {
  const { apiGroup, kind, name } = reference
  if (apiGroup !== undefined && apiGroup !== null)
    yield* field.invalidForEach(path.child('apiGroup'), apiGroup, dnsSubdomain(apiGroup))
  if (kind === '') yield field.required(path.child('kind'))
  else yield* field.invalidForEach(path.child('kind'), kind, pathSegment(kind))
  if (name === '') yield field.required(path.child('name'))
  else yield* field.invalidForEach(path.child('name'), name, pathSegment(name))
}

function* validateTls(
  { hosts = [], secretName }: IngressTLS,
  path: FieldPath,
  { anySecretName }: Leniency,
): Iterable<field.FieldError> {
  for (const [i, host] of hosts.entries())
    yield* field.invalidForEach(path.child('hosts').index(i), host, hostMessages(host))
  if (!anySecretName) yield* field.invalidForEach(path.child('secretName'), secretName, secretNameMessages(secretName))
}

function secretNameMessages(name = ''): Messages {
  return name === '' ? [] : dnsSubdomain(name)
}

export function* validateIngressStatus({ status }: Ingress, old: Ingress): Iterable<field.FieldError> {
  const before = old.status.loadBalancer?.ingress
  const path = fieldPath('status', 'loadBalancer', 'ingress')
  for (const [i, address] of (status.loadBalancer?.ingress ?? []).entries()) {
    yield* validateBalancerIp(address, path.index(i), before)
    yield* validateBalancerHostname(address, path.index(i))
  }
}
