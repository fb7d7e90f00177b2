/** Validates the common fields of validating and mutating webhooks. */
import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { dns1035Label, fullyQualifiedName } from '../../../../schema/names.js'
import { validateLabelSelector } from '../../../selectors/label-selector-validation.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import { isSame } from '../../../validation/immutability.js'
import type { MutatingWebhook } from '../mutating-webhook-configuration.js'
import { validateMatchConditions } from '../policy/match-condition-validation.js'
import { matchPolicies, validateRule } from '../policy/match-resources-validation.js'
import type { ValidatingWebhook } from '../validating-webhook-configuration.js'
import { validateWebhookClient } from './client-validation.js'

type Webhook = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>

export const failurePolicies = ['Fail', 'Ignore']
export const reinvocationPolicies = ['IfNeeded', 'Never']
const harmless = ['None', 'NoneOnDryRun']
const sideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown']
const reviewVersions = ['v1', 'v1beta1']

/** Validations to skip, because the old webhooks are invalid under them. */
interface Leniency {
  readonly anyMatchCondition: boolean
  readonly anySideEffects: boolean
  readonly anyReviewVersion: boolean
  readonly anyName: boolean
  readonly anySelectorValue: boolean
}

/** `old` are the webhooks that these replace; undefined on create. */
export function validateWebhooks(
  webhooks: readonly Webhook[] | undefined,
  old?: readonly Webhook[],
): readonly field.FieldError[] {
  const hooks = webhooks ?? []
  const leniency = old ? leniencyOf(hooks, old) : strict
  const names = hooks.map(({ name }) => name)
  return hooks.flatMap((hook, i) => {
    const path = fieldPath('webhooks').index(i)
    const isRepeated = !leniency.anyName && hook.name !== '' && names.indexOf(hook.name) < i
    return [
      ...validateWebhook(hook, path, leniency),
      ...validateReviewVersions(hook, path.child('admissionReviewVersions'), leniency),
      ...(isRepeated ? [field.duplicate(path.child('name'), hook.name)] : []),
    ]
  })
}

const strict: Leniency = {
  anyMatchCondition: false,
  anySideEffects: false,
  anyReviewVersion: false,
  anyName: false,
  anySelectorValue: false,
}

function leniencyOf(hooks: readonly Webhook[], old: readonly Webhook[]): Leniency {
  return {
    anyMatchCondition:
      hooks.length === old.length &&
      hooks.every(({ matchConditions }, i) => isSame(matchConditions, old[i]!.matchConditions)),
    anySideEffects: old.some((hook) => !harmless.includes(hook.sideEffects ?? '')),
    anyReviewVersion: old.some(({ admissionReviewVersions: versions }) => versions?.length && !isReadable(versions)),
    anyName: new Set(old.map(({ name }) => name)).size < old.length,
    anySelectorValue: old.some((hook) => validateSelectors(hook, fieldPath('webhooks'), strict).length > 0),
  }
}

function isReadable(versions: readonly string[]): boolean {
  return versions.some((version) => reviewVersions.includes(version))
}

function validateWebhook(hook: Webhook, path: FieldPath, leniency: Leniency): readonly field.FieldError[] {
  return [
    ...fullyQualifiedName(path.child('name'), hook.name),
    ...(hook.rules ?? []).flatMap((rule, i) => validateRule(rule, path.child('rules').index(i))),
    ...validateOptionalChoice(hook.failurePolicy, path.child('failurePolicy'), failurePolicies),
    ...validateOptionalChoice(hook.matchPolicy, path.child('matchPolicy'), matchPolicies),
    ...validateSideEffects(hook, path.child('sideEffects'), leniency),
    ...validateTimeout(hook, path.child('timeoutSeconds')),
    ...validateSelectors(hook, path, leniency),
    ...validateOptionalChoice(hook.reinvocationPolicy, path.child('reinvocationPolicy'), reinvocationPolicies),
    ...validateWebhookClient(hook.clientConfig, path.child('clientConfig')),
    ...(leniency.anyMatchCondition
      ? field.none
      : validateMatchConditions(hook.matchConditions, path.child('matchConditions'), false)),
  ]
}

/** Requires side effects that allow a dry run to call the webhook. */
function validateSideEffects(hook: Webhook, path: FieldPath, leniency: Leniency): readonly field.FieldError[] {
  const allowed = leniency.anySideEffects ? sideEffects : harmless
  if (hook.sideEffects === null || hook.sideEffects === undefined)
    return [field.required(path, `must specify one of ${allowed.join(', ')}`)]
  return validateOptionalChoice(hook.sideEffects, path, allowed)
}

function validateTimeout({ timeoutSeconds = 10 }: Webhook, path: FieldPath): readonly field.FieldError[] {
  if (timeoutSeconds >= 1 && timeoutSeconds <= 30) return field.none
  return [field.invalid(path, timeoutSeconds, 'the timeout value must be between 1 and 30 seconds')]
}

function validateSelectors(hook: Webhook, path: FieldPath, leniency: Leniency): readonly field.FieldError[] {
  const options = { anyValue: leniency.anySelectorValue }
  return [
    ...validateLabelSelector(hook.namespaceSelector, path.child('namespaceSelector'), options),
    ...validateLabelSelector(hook.objectSelector, path.child('objectSelector'), options),
  ]
}

/** Requires a review version that the server supports. */
function validateReviewVersions(hook: Webhook, path: FieldPath, leniency: Leniency): readonly field.FieldError[] {
  const versions = hook.admissionReviewVersions ?? []
  const known = reviewVersions.join(', ')
  if (versions.length === 0) return [field.required(path, `must specify one of ${known}`)]
  const errors: field.FieldError[] = versions.flatMap((version, i) =>
    versions.indexOf(version) < i
      ? [field.invalid(path.index(i), version, 'duplicate version')]
      : field.invalidForEach(path.index(i), version, dns1035Label(version)),
  )
  if (!leniency.anyReviewVersion && !isReadable(versions))
    errors.push(field.invalid(path, versions, `must include at least one of ${known}`))
  return errors
}
