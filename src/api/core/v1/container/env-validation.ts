import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { configMapKey, environmentVariableName } from '../../../../schema/identifiers.js'
import { dnsLabel, dnsSubdomain } from '../../../../schema/names.js'
import { subdomainName } from '../../../metadata/name-validation.js'
import { validatePathWithoutBacksteps } from '../../../validation/paths.js'
import { visitContainers } from '../pod/containers.js'
import type { PodSpec } from '../pod/spec.js'
import { validateFieldSelector, validateResourceSelector } from './downward-api-validation.js'
import type { EnvFromSource, EnvVar, EnvVarSource, FileKeySelector } from './env.js'

/** Validates the environment variables of a container. */
export function validateEnv(variables: readonly EnvVar[] | undefined, path: FieldPath): readonly FieldError[] {
  if (!variables) return field.none
  const errors: FieldError[] = []
  for (const [i, { name, value, valueFrom }] of variables.entries()) {
    const messages = environmentVariableName(name)
    if (name === '') errors.push(field.required(path.index(i).child('name')))
    else if (messages.length > 0) errors.push(...field.invalidForEach(path.index(i).child('name'), name, messages))
    if (valueFrom) errors.push(...validateSource(valueFrom, path.index(i).child('valueFrom'), value ?? ''))
  }
  return errors
}

function validateSource(source: EnvVarSource, path: FieldPath, value: string): readonly FieldError[] {
  const errors = validateSelectors(source, path)
  const message = sourceMessage(sourcesOf(source), value)
  return message === undefined ? errors : [...errors, field.invalid(path, '', message)]
}

const envFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
] as const

function validateSelectors(source: EnvVarSource, path: FieldPath): readonly FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source
  return [
    ...(fieldRef ? validateFieldSelector(fieldRef, path.child('fieldRef'), envFields) : field.none),
    ...(resourceFieldRef ? validateResourceSelector(resourceFieldRef, path.child('resourceFieldRef')) : field.none),
    ...(configMapKeyRef ? validateKeySelector(configMapKeyRef, path.child('configMapKeyRef')) : field.none),
    ...(secretKeyRef ? validateKeySelector(secretKeyRef, path.child('secretKeyRef')) : field.none),
    ...(fileKeyRef ? validateFileSelector(fileKeyRef, path.child('fileKeyRef')) : field.none),
  ]
}

function sourcesOf(source: EnvVarSource): number {
  let sources = 0
  for (const name in source) if (source[name as keyof EnvVarSource]) sources++
  return sources
}

const tooManySources = 'may not have more than one field specified at a time'

function sourceMessage(sources: number, value: string): string | undefined {
  if (sources === 0)
    return 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
  if (value !== '') return 'may not be specified when `value` is not empty'
  return sources > 1 ? tooManySources : undefined
}

/** One key of a config map or of a secret. */
function validateKeySelector(
  { name = '', key }: { readonly name?: string; readonly key: string },
  path: FieldPath,
): readonly FieldError[] {
  const wrongName = field.invalidForEach(path.child('name'), name, dnsSubdomain(name))
  const wrongKey =
    key === '' ? [field.required(path.child('key'))] : field.invalidForEach(path.child('key'), key, configMapKey(key))
  return [...wrongName, ...wrongKey]
}

function validateFileSelector(
  { key, volumeName, path: file }: FileKeySelector,
  path: FieldPath,
): readonly FieldError[] {
  const errors: FieldError[] = []
  if (key === '') errors.push(field.required(path.child('key')))
  else errors.push(...field.invalidForEach(path.child('key'), key, environmentVariableName(key)))
  if (volumeName === '') errors.push(field.required(path.child('volumeName')))
  else errors.push(...field.invalidForEach(path.child('volumeName'), volumeName, dnsLabel(volumeName)))
  if (file === '') errors.push(field.required(path.child('path')))
  else errors.push(...validatePathWithoutBacksteps(file, path.child('path')))
  return errors
}

/** Validates `envFrom`. Some errors have the path of the whole list. */
export function validateEnvFrom(sources: readonly EnvFromSource[] | undefined, path: FieldPath): readonly FieldError[] {
  if (!sources) return field.none
  const errors: FieldError[] = []
  for (const [i, source] of sources.entries()) {
    errors.push(...validateEnvFromSource(source, path.index(i)))
    if (!source.configMapRef && !source.secretRef)
      errors.push(field.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'))
    if (source.configMapRef && source.secretRef) errors.push(field.invalid(path, '', tooManySources))
  }
  return errors
}

function validateEnvFromSource(
  { prefix = '', configMapRef, secretRef }: EnvFromSource,
  path: FieldPath,
): readonly FieldError[] {
  const errors: FieldError[] = []
  if (prefix !== '') errors.push(...field.invalidForEach(path.child('prefix'), prefix, environmentVariableName(prefix)))
  if (configMapRef) errors.push(...validateSourceName(configMapRef.name ?? '', path.child('configMapRef', 'name')))
  if (secretRef) errors.push(...validateSourceName(secretRef.name ?? '', path.child('secretRef', 'name')))
  return errors
}

/** The name may end in a dash, because upstream validates it like a prefix. */
function validateSourceName(name: string, path: FieldPath): readonly FieldError[] {
  return name === '' ? [field.required(path)] : field.invalidForEach(path, name, subdomainName(name, true))
}

/** Files with variables must be in `emptyDir` volumes of the pod. `path` is that of the pod's spec. */
export function validateEnvFiles(spec: PodSpec, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = []
  visitContainers(spec, path, ({ env = [] }, at) => {
    for (const [i, { valueFrom }] of env.entries()) {
      const volumeName = valueFrom?.fileKeyRef?.volumeName
      if (volumeName === undefined) continue
      const place = at.child('env').index(i).child('valueFrom', 'fileKeyRef', 'volumeName')
      // The last of several volumes with the same name counts. Duplicates are an error of their own.
      const volume = spec.volumes?.findLast(({ name }) => name === volumeName)
      if (!volume) errors.push(field.notFound(place, volumeName))
      else if (!volume.emptyDir)
        errors.push(field.invalid(place, volumeName, 'referenced volume must be of type emptyDir'))
    }
  })
  return errors
}
