/** Validates the downward API: fields and resources of the pod in variables and files. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import type { ObjectFieldSelector, ResourceFieldSelector } from './env.js'

/** All supported fields of a pod. Each use allows some of them. */
const podFields: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
])

/** Validates a field reference. `allowed` is sorted. Single labels and annotations are always allowed. */
export function validateFieldSelector(
  { apiVersion = '', fieldPath }: ObjectFieldSelector,
  path: FieldPath,
  allowed: readonly string[],
): readonly FieldError[] {
  if (apiVersion === '') return [field.required(path.child('apiVersion'))]
  if (fieldPath === '') return [field.required(path.child('fieldPath'))]
  const name = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath
  const subscripted = splitSubscript(name)
  const problem = conversionProblem(apiVersion, name, subscripted)
  if (problem !== undefined)
    return [field.invalid(path.child('fieldPath'), fieldPath, `error converting fieldPath: ${problem}`)]
  if (subscripted) return validateSubscript(subscripted, path)
  return allowed.includes(name) ? field.none : [field.notSupported(path.child('fieldPath'), name, allowed)]
}

interface Subscripted {
  readonly map: string
  readonly key: string
}

/** `metadata.labels['app']` */
function splitSubscript(text: string): Subscripted | undefined {
  const open = text.indexOf("['")
  if (open <= 0 || !text.endsWith("']")) return undefined
  return { map: text.slice(0, open), key: text.slice(open + 2, -2) }
}

function conversionProblem(version: string, name: string, subscripted: Subscripted | undefined): string | undefined {
  if (version !== 'v1') return `unsupported pod version: ${version}`
  if (!subscripted) return podFields.has(name) ? undefined : `field label not supported: ${name}`
  const hasKeys = subscripted.map === 'metadata.labels' || subscripted.map === 'metadata.annotations'
  return hasKeys ? undefined : `field label does not support subscript: ${name}`
}

/** Keys of annotations ignore case. */
function validateSubscript({ map, key }: Subscripted, path: FieldPath): readonly FieldError[] {
  const name = map === 'metadata.annotations' ? key.toLowerCase() : key
  return field.invalidForEach(path, name, labelKey(name))
}

const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
] as const

/** Validates a resource reference. In a file it must name the container. */
export function validateResourceSelector(
  selector: ResourceFieldSelector,
  path: FieldPath,
  { inFile = false } = {},
): readonly FieldError[] {
  const { containerName = '', resource, divisor = '0' } = selector
  const wrong = validateDivisor(resource, divisor, path.child('divisor'))
  if (inFile && containerName === '') return [field.required(path.child('containerName')), ...wrong]
  if (resource === '') return [field.required(path.child('resource')), ...wrong]
  if (isHugePagesField(resource) || resources.some((known) => known === resource)) return wrong
  return [field.notSupported(path.child('resource'), resource, resources), ...wrong]
}

function isHugePagesField(resource: string): boolean {
  return resource.startsWith('requests.hugepages-') || resource.startsWith('limits.hugepages-')
}

const byteUnits = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'] as const

/** The error contains the resource, not the divisor. */
function validateDivisor(resource: string, divisor: string, path: FieldPath): readonly FieldError[] {
  const unit = unitOf(resource)
  if (unit === undefined || Quantity.parse(divisor).isZero()) return field.none
  const isCpu = unit === 'cpu'
  const supported: readonly string[] = isCpu ? ['1m', '1'] : byteUnits
  if (supported.includes(divisor)) return field.none
  const values = isCpu ? '1m and 1' : byteUnits.join(', ')
  return [field.invalid(path, resource, `only divisor's values ${values} are supported with the ${unit} resource`)]
}

function unitOf(resource: string): string | undefined {
  if (isHugePagesField(resource)) return 'hugepages'
  const [, name = ''] = /^(?:limits|requests)\.(cpu|memory|ephemeral-storage)$/.exec(resource) ?? []
  if (name === '') return undefined
  return name === 'ephemeral-storage' ? 'local ephemeral storage' : name
}
