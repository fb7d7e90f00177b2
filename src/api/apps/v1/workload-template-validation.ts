/** Validates the pod template of a workload, and the selector for its pods. */
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { ValueError } from '../../../schema/value-error.js'
import type { PodRulesContext } from '../../core/v1/pod/validation-context.js'
import { validatePodTemplateSpec } from '../../core/v1/pod-template/validation.js'
import type { PodTemplateSpec } from '../../core/v1/pod-template.js'
import type { LabelSelector as LabelSelectorObject } from '../../meta/v1/label-selector.js'
import { LabelSelector } from '../../selectors/label-selector.js'
import { validateLabelSelector } from '../../selectors/label-selector-validation.js'

export type MaybeSelector = LabelSelectorObject | null | undefined

/** Requires a selector that is not empty. `owner` is the name of the workload in messages. */
export function validateOwnSelector(
  selector: MaybeSelector,
  path: FieldPath,
  owner: string,
): readonly field.FieldError[] {
  if (!selector) return [field.required(path)]
  return [...validateLabelSelector(selector, path), ...validateNotEmpty(selector, path, owner)]
}

export function validateNotEmpty(selector: MaybeSelector, path: FieldPath, owner: string): readonly field.FieldError[] {
  if (!selector) return field.none
  const { matchLabels = {}, matchExpressions = [] } = selector
  if (Object.keys(matchLabels).length + matchExpressions.length > 0) return field.none
  return [field.invalid(path, selector, `empty selector is invalid for ${owner}`)]
}

/** The compiled selector; undefined if it is invalid. An absent selector selects nothing. */
export function parsedSelector(selector: MaybeSelector): LabelSelector | undefined {
  try {
    return LabelSelector.from(selector)
  } catch (error) {
    if (error instanceof ValueError) return undefined
    throw error
  }
}

/** The selector must match the template, because other pods would be created without end. `path` is that of the template. */
export function validateSelected(
  template: PodTemplateSpec,
  selector: LabelSelector,
  path: FieldPath,
): readonly field.FieldError[] {
  const labels = template.metadata?.labels
  if (selector.matches(labels ?? {})) return field.none
  const why = '`selector` does not match template `labels`'
  return [field.invalid(path.child('metadata', 'labels'), labels, why)]
}

/** Requires the restart policy `Always`, and no deadline. */
export function validateKeptRunning(
  { spec }: PodTemplateSpec,
  path: FieldPath,
  owner: string,
): readonly field.FieldError[] {
  const { restartPolicy = '', activeDeadlineSeconds } = spec ?? {}
  const errors: field.FieldError[] = []
  if (restartPolicy !== 'Always')
    errors.push(field.notSupported(path.child('spec', 'restartPolicy'), restartPolicy, ['Always']))
  if (activeDeadlineSeconds !== undefined) {
    const why = `activeDeadlineSeconds in ${owner} is not Supported`
    errors.push(field.forbidden(path.child('spec', 'activeDeadlineSeconds'), why))
  }
  return errors
}

interface Replicated {
  readonly selector: MaybeSelector
  readonly template?: PodTemplateSpec
}

/** Validates selector and template of deployments and replica sets, which have the same messages. */
export function validateReplicatedTemplate(
  { selector, template = {} }: Replicated,
  path: FieldPath,
  context: PodRulesContext,
): readonly field.FieldError[] {
  const selectorPath = path.child('selector')
  const templatePath = path.child('template')
  const compiled = parsedSelector(selector)
  return [
    ...validateOwnSelector(selector, selectorPath, 'deployment'),
    ...(compiled
      ? [
          ...(compiled.isEmpty ? [] : validateSelected(template, compiled, templatePath)),
          ...validatePodTemplateSpec(template, templatePath, context),
          ...validateKeptRunning(template, templatePath, 'ReplicaSet'),
        ]
      : [field.invalid(selectorPath, selector, 'invalid label selector')]),
  ]
}
