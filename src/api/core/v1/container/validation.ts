import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { dnsLabel } from '../../../../schema/names.js'
import { validateChoice } from '../../../validation/choices.js'
import type { Container } from '../container.js'
import type { PodSpec } from '../pod/spec.js'
import type { PodPartContext } from '../pod/validation-context.js'
import { claimNames, usesBrokenHugePages, validateContainerResources } from '../resource-requirements/validation.js'
import { validateSecurityContext } from '../security-context/validation.js'
import { validateVolumeDevices, validateVolumeMounts } from '../volume/mount-validation.js'
import { validateEnv, validateEnvFrom } from './env-validation.js'
import type { EphemeralContainer } from './ephemeral-container.js'
import { validateLifecycle } from './lifecycle-validation.js'
import { validateContainerPorts, validateHostPorts } from './port-validation.js'
import { validateProbes } from './probe-validation.js'
import { validateInitResizePolicy, validateResizePolicy } from './resize-validation.js'
import { validateInitRestarts, validateRestarts } from './restart-validation.js'

/** Validates the main containers of a pod. */
export function validateContainers(
  containers: readonly Container[],
  path: FieldPath,
  context: PodPartContext,
): readonly FieldError[] {
  if (containers.length === 0) return [field.required(path)]
  const errors: FieldError[] = []
  const names = new Set<string>()
  for (const [i, container] of containers.entries()) {
    const at = path.index(i)
    errors.push(...validateContainer(container, at, context))
    if (names.has(container.name)) errors.push(field.duplicate(at.child('name'), container.name))
    names.add(container.name)
    errors.push(...validateLife(container, at, context.spec), ...validateRestarts(container, at))
  }
  errors.push(...validateHostPorts(containers, path))
  return errors
}

/** Validates the init containers of a pod, including sidecars. */
export function validateInitContainers(
  containers: readonly Container[],
  path: FieldPath,
  context: PodPartContext,
): readonly FieldError[] {
  if (containers.length === 0) return field.none
  const errors: FieldError[] = []
  const names = new Set(context.spec.containers.map(({ name }) => name))
  for (const [i, container] of containers.entries()) {
    const at = path.index(i)
    errors.push(...validateContainer(container, at, context), ...validateInitRestarts(container, at))
    if (names.has(container.name)) errors.push(field.duplicate(at.child('name'), container.name))
    else if (container.name !== '') names.add(container.name)
    // They run one after another, so the ports of each are checked alone. The error always has the index of the first.
    errors.push(...validateHostPorts([container], path))
    const isSidecar = container.restartPolicy === 'Always'
    errors.push(...(isSidecar ? validateLife(container, at, context.spec) : validateShortLife(container, at, context)))
  }
  return errors
}

/** Validates ephemeral containers. */
export function validateEphemeralContainers(
  containers: readonly EphemeralContainer[],
  path: FieldPath,
  context: PodPartContext,
): readonly FieldError[] {
  if (containers.length === 0) return field.none
  const errors: FieldError[] = []
  const lasting = new Set([...context.spec.containers, ...(context.spec.initContainers ?? [])].map(({ name }) => name))
  const names = new Set(lasting)
  for (const [i, container] of containers.entries()) {
    const { name, targetContainerName = '' } = container
    const at = path.index(i)
    errors.push(...validateContainer(container, at, context), ...validateTrimmedImage(container, at))
    if (names.has(name)) errors.push(field.duplicate(at.child('name'), name))
    names.add(name)
    if (targetContainerName !== '' && !lasting.has(targetContainerName))
      errors.push(field.notFound(at.child('targetContainerName'), targetContainerName))
    errors.push(...validateEphemeralFields(container, at))
  }
  return errors
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'] as const
const messagePolicies = ['File', 'FallbackToLogsOnError'] as const

/** Validates the fields of all types of containers. */
function validateContainer(container: Container, path: FieldPath, context: PodPartContext): readonly FieldError[] {
  const { spec } = context
  const { ports, env, envFrom, volumeMounts, volumeDevices, resizePolicy } = container
  return [
    ...validateName(container.name, path.child('name')),
    ...(container.image ? field.none : [field.required(path.child('image'))]),
    ...validateChoice(container.terminationMessagePolicy, path.child('terminationMessagePolicy'), messagePolicies),
    ...(ports ? validateContainerPorts(ports, path.child('ports')) : field.none),
    ...(env ? validateEnv(env, path.child('env')) : field.none),
    ...(envFrom ? validateEnvFrom(envFrom, path.child('envFrom')) : field.none),
    ...(volumeMounts ? validateVolumeMounts(container, path.child('volumeMounts'), context) : field.none),
    ...(volumeDevices ? validateVolumeDevices(container, path.child('volumeDevices'), context) : field.none),
    ...validateChoice(container.imagePullPolicy, path.child('imagePullPolicy'), pullPolicies),
    ...validateResources(container, path.child('resources'), context),
    ...(resizePolicy ? validateResizePolicy(resizePolicy, path.child('resizePolicy'), spec.restartPolicy) : field.none),
    ...validateSecurity(container, path.child('securityContext'), context),
  ]
}

function validateName(name: string, path: FieldPath): readonly FieldError[] {
  return name === '' ? [field.required(path)] : field.invalidForEach(path, name, dnsLabel(name))
}

function validateResources(
  { resources }: Container,
  path: FieldPath,
  { spec, old }: PodPartContext,
): readonly FieldError[] {
  if (!resources) return field.none
  const anyHugePages = () => old !== undefined && usesBrokenHugePages(old)
  return validateContainerResources(resources, path, { claims: claimNames(spec), anyHugePages })
}

function validateSecurity(
  { securityContext }: Container,
  path: FieldPath,
  { spec, allowPrivileged }: PodPartContext,
): readonly FieldError[] {
  if (!securityContext) return field.none
  return validateSecurityContext(securityContext, path, { allowPrivileged, hostUsers: spec.hostUsers ?? true })
}

/** Validates the fields of main containers and sidecars only. */
function validateLife(container: Container, path: FieldPath, spec: PodSpec): readonly FieldError[] {
  const { lifecycle } = container
  const hooks = lifecycle ? validateLifecycle(lifecycle, path.child('lifecycle'), spec) : field.none
  const probes = validateProbes(container, path, spec.terminationGracePeriodSeconds)
  return hooks.length === 0 ? probes : [...hooks, ...probes]
}

const lastingFields = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const

/** Rejects fields that init containers may not have, unless the old pod has them. */
function validateShortLife(container: Container, path: FieldPath, { old }: PodPartContext): readonly FieldError[] {
  const errors: FieldError[] = []
  for (const name of lastingFields)
    if (container[name])
      errors.push(field.forbidden(path.child(name), 'may not be set for init containers without restartPolicy=Always'))
  if (!old?.initContainers?.some(restartsOnResize))
    errors.push(...validateInitResizePolicy(container.resizePolicy, path.child('resizePolicy')))
  return errors
}

function restartsOnResize({ restartPolicy, resizePolicy = [] }: Container): boolean {
  return restartPolicy !== 'Always' && resizePolicy.some((policy) => policy.restartPolicy === 'RestartContainer')
}

const refusedFields = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const

/** Rejects fields that ephemeral containers may not have. */
function validateEphemeralFields(container: EphemeralContainer, path: FieldPath): readonly FieldError[] {
  const message = 'cannot be set for an Ephemeral Container'
  const errors: FieldError[] = []
  for (const name of refusedFields) if (isSet(container[name])) errors.push(field.forbidden(path.child(name), message))
  for (const [i, mount] of (container.volumeMounts ?? []).entries())
    for (const name of ['subPath', 'subPathExpr'] as const)
      if (mount[name]) errors.push(field.forbidden(path.child('volumeMounts').index(i).child(name), message))
  return errors
}

/** Whether a field is set. `resources` is always present, so an empty object counts as absent. */
function isSet(value: object | string | undefined): boolean {
  return typeof value === 'object' ? Object.keys(value).length > 0 : value !== undefined
}

/** Rejects images with surrounding spaces in pods; templates may have them. `path` is that of the list. */
export function validateTrimmedImages(
  containers: readonly Container[] | undefined,
  path: FieldPath,
): readonly FieldError[] {
  if (!containers || containers.every(isImageTrimmed)) return field.none
  return containers.flatMap((container, i) => validateTrimmedImage(container, path.index(i)))
}

function validateTrimmedImage(container: Imaged, path: FieldPath): readonly FieldError[] {
  if (isImageTrimmed(container)) return field.none
  return [field.invalid(path.child('image'), container.image, 'must not have leading or trailing whitespace')]
}

type Imaged = Pick<Container, 'image'>

function isImageTrimmed({ image = '' }: Imaged): boolean {
  return image.trim() === image
}
