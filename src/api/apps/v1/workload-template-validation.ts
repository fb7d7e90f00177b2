/** The pod template of a workload, and the selector that finds the pods made from it. */
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

/** A selector that must be there and must choose something; `owner` is what messages call the workload. */
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

/** The selector ready to be asked; undefined if it cannot be understood. No selector at all chooses nothing. */
export function parsedSelector(selector: MaybeSelector): LabelSelector | undefined {
  try {
    return LabelSelector.from(selector)
  } catch (error) {
    if (error instanceof ValueError) return undefined
    throw error
  }
}

/** Pods that the selector does not find would be made again and again. `path` is that of the template. */
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

/** Pods that are kept running: they are restarted always, and for ever. */
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

/** Selector and template of deployments and replica sets, which share their rules and even their words. */
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
