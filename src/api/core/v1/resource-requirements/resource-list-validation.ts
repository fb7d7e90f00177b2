/** Validates names and quantities of resources in containers, pods, limit ranges, quotas and nodes. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { notNegative } from '../../../../schema/identifiers.js'
import { labelKey } from '../../../../schema/label-names.js'
import {
  isContainerResource,
  isExtendedResource,
  isFractional,
  isIntegerResource,
  isNativeResource,
  isPodResource,
  isQuotaResource,
  isStandardResource,
  isWellKnownResource,
} from './resource-names.js'

export type ResourceNameRule = (name: string, path: FieldPath) => readonly FieldError[]

/** A name that Kubernetes knows, or one with a domain. */
export const validateResourceName: ResourceNameRule = (name, path) => {
  if (isWellKnownResource(name)) return field.none
  const errors = field.invalidForEach(path, name, labelKey(name))
  if (errors.length > 0 || name.includes('/') || isStandardResource(name)) return errors
  return [field.invalid(path, name, 'must be a standard resource type or fully qualified')]
}

/** A name that a container can request. */
export const validateContainerResourceName: ResourceNameRule = (name, path) => {
  const errors = validateResourceName(name, path)
  const message = containerMessage(name)
  return message === undefined ? errors : [...errors, field.invalid(path, name, message)]
}

function containerMessage(name: string): string | undefined {
  if (!name.includes('/')) return isContainerResource(name) ? undefined : 'must be a standard resource for containers'
  return isNativeResource(name) || isExtendedResource(name)
    ? undefined
    : "doesn't follow extended resource name standard"
}

const podResources = ['cpu', 'hugepages-', 'memory'] as const

/** A name that a pod as a whole can request. */
export const validatePodResourceName: ResourceNameRule = (name, path) => {
  const errors = validateResourceName(name, path)
  return errors.length > 0 || isPodResource(name) ? errors : [field.notSupported(path, name, podResources)]
}

/** A name that a quota can limit. */
export const validateQuotaResourceName: ResourceNameRule = (name, path) => {
  const errors = validateResourceName(name, path)
  if (name.includes('/') || isQuotaResource(name)) return errors
  return [...errors, field.invalid(path, name, 'must be a standard resource for quota')]
}

/** Validates a canonical quantity: not negative, and an integer for indivisible resources. */
export function validateResourceQuantity(name: string, quantity: string, path: FieldPath): readonly FieldError[] {
  const errors = validateNonnegativeQuantity(quantity, path)
  if (!isIntegerResource(name) || !isFractional(quantity)) return errors
  return [...errors, field.invalid(path, quantity, 'must be an integer')]
}

export function validateNonnegativeQuantity(quantity: string, path: FieldPath): readonly FieldError[] {
  return quantity.startsWith('-') ? [field.invalid(path, quantity, notNegative)] : field.none
}
