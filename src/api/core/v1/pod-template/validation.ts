import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { validateAnnotations } from '../../../metadata/annotations.js'
import { validateLabels } from '../../../metadata/labels.js'
import { validateAnnotationAgreement, validatePodAnnotations } from '../pod/annotation-validation.js'
import { visitContainers } from '../pod/containers.js'
import { validatePodSpec } from '../pod/spec-validation.js'
import type { PodRulesContext } from '../pod/validation-context.js'
import { podWarnings } from '../pod/warnings.js'
import type { PodTemplateSpec } from '../pod-template.js'
import { appArmorPrefix } from '../security-context/app-armor-annotations.js'
import { hasKeyUnder } from '../security-context/profile-agreement.js'

/** Validates a pod template: labels, annotations and spec. */
export function validatePodTemplateSpec(
  template: PodTemplateSpec,
  path: FieldPath,
  context: PodRulesContext,
): readonly FieldError[] {
  const { labels, annotations } = template.metadata ?? {}
  const spec = template.spec ?? { containers: [] }
  const at = path.child('annotations')
  return [
    ...validateLabels(labels, path.child('labels')),
    ...validateAnnotations(annotations, at),
    ...validatePodAnnotations(annotations, spec, { path: at }),
    ...validatePodSpec(spec, path.child('spec'), context),
    ...validateAnnotationAgreement(annotations, spec, path.child('spec')),
    ...(spec.ephemeralContainers?.length
      ? [field.forbidden(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template')]
      : []),
  ]
}

/** Warnings about a template, for `Warning` headers. */
export function podTemplateWarnings(
  template: PodTemplateSpec,
  _old: PodTemplateSpec | undefined,
  path: FieldPath,
): readonly string[] {
  const annotations = template.metadata?.annotations ?? {}
  const spec = template.spec ?? { containers: [] }
  return [...podWarnings(spec, annotations, path), ...appArmorWarnings(template, path)]
}

/** Warnings about AppArmor annotations. In a template they are not converted to fields. */
function appArmorWarnings({ metadata, spec }: PodTemplateSpec, path: FieldPath): readonly string[] {
  const annotations = metadata?.annotations ?? {}
  if (!spec || spec.securityContext?.appArmorProfile || !hasKeyUnder(annotations, appArmorPrefix)) return []
  const warnings: string[] = []
  visitContainers(spec, path, ({ name, securityContext }) => {
    const key = appArmorPrefix + name
    if (annotations[key] === undefined || securityContext?.appArmorProfile) return
    const at = path.child('metadata', 'annotations').key(key)
    warnings.push(`${at}: deprecated since v1.30; use the "appArmorProfile" field instead`)
  })
  return warnings
}
