import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { notNegative } from '../../../../schema/identifiers.js'
import type { Container } from '../container.js'
import { validateHandler } from './handler-validation.js'
import type { Probe } from './probe.js'

type Probed = Pick<Container, 'livenessProbe' | 'readinessProbe' | 'startupProbe'>

/** Validates the probes of a container. */
export function validateProbes(
  { livenessProbe, readinessProbe, startupProbe }: Probed,
  path: FieldPath,
  gracePeriod: number | undefined,
): readonly FieldError[] {
  if (!livenessProbe && !readinessProbe && !startupProbe) return field.none
  return [
    ...validateKillingProbe(livenessProbe, path.child('livenessProbe'), gracePeriod),
    ...validateReadinessProbe(readinessProbe, path.child('readinessProbe'), gracePeriod),
    ...validateKillingProbe(startupProbe, path.child('startupProbe'), gracePeriod),
  ]
}

/** Validates a liveness or startup probe, whose success threshold must be 1. */
function validateKillingProbe(
  probe: Probe | undefined,
  path: FieldPath,
  gracePeriod: number | undefined,
): readonly FieldError[] {
  if (!probe) return field.none
  const errors = validateProbe(probe, path, gracePeriod)
  const { successThreshold = 0 } = probe
  if (successThreshold === 1) return errors
  return [...errors, field.invalid(path.child('successThreshold'), successThreshold, 'must be 1')]
}

/** Validates a readiness probe, which cannot have a grace period. */
function validateReadinessProbe(
  probe: Probe | undefined,
  path: FieldPath,
  gracePeriod: number | undefined,
): readonly FieldError[] {
  if (!probe) return field.none
  const errors = validateProbe(probe, path, gracePeriod)
  const { terminationGracePeriodSeconds: ownPeriod } = probe
  if (ownPeriod === undefined) return errors
  return [
    ...errors,
    field.invalid(path.child('terminationGracePeriodSeconds'), ownPeriod, 'must not be set for readinessProbes'),
  ]
}

const counts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const

function validateProbe(probe: Probe, path: FieldPath, gracePeriod: number | undefined): readonly FieldError[] {
  const errors = [...validateHandler(probe, path, gracePeriod)]
  for (const name of counts) {
    const count = probe[name] ?? 0
    if (count < 0) errors.push(field.invalid(path.child(name), count, notNegative))
  }
  const { terminationGracePeriodSeconds: ownPeriod } = probe
  if (ownPeriod !== undefined && ownPeriod <= 0)
    errors.push(field.invalid(path.child('terminationGracePeriodSeconds'), ownPeriod, 'must be greater than 0'))
  return errors
}
