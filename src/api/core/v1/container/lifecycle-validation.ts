import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { compareText } from '../../../../schema/text-order.js'
import type { PodSpec } from '../pod/spec.js'
import { validateHandler } from './handler-validation.js'
import type { Lifecycle } from './probe.js'
import { Signal } from './signal.js'

/** Validates the hooks and the stop signal of a container. */
export function validateLifecycle(
  lifecycle: Lifecycle | undefined,
  path: FieldPath,
  { os, terminationGracePeriodSeconds }: Pick<PodSpec, 'os' | 'terminationGracePeriodSeconds'>,
): readonly FieldError[] {
  if (!lifecycle) return field.none
  const { postStart, preStop, stopSignal } = lifecycle
  const errors: FieldError[] = []
  if (postStart) errors.push(...validateHandler(postStart, path.child('postStart'), terminationGracePeriodSeconds))
  if (preStop) errors.push(...validateHandler(preStop, path.child('preStop'), terminationGracePeriodSeconds))
  if (stopSignal !== undefined) errors.push(...validateStopSignal(stopSignal, path.child('stopSignal'), os?.name))
  return errors
}

const signals: ReadonlyMap<string, readonly string[]> = new Map([
  ['linux', [...Signal.type.values].sort(compareText)],
  ['windows', ['SIGKILL', 'SIGTERM']],
])

/** The supported signals depend on the operating system, which the pod must name. An unknown name is reported elsewhere. */
function validateStopSignal(signal: string, path: FieldPath, os: string | undefined): readonly FieldError[] {
  if (os === undefined) return [field.forbidden(path, 'may not be set for containers with empty `spec.os.name`')]
  const supported = signals.get(os)
  return !supported || supported.includes(signal) ? field.none : [field.notSupported(path, signal, supported)]
}
