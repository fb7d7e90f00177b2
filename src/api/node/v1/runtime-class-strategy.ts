import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { dnsLabel } from '../../../schema/names.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { validateContainerResources } from '../../core/v1/resource-requirements/validation.js'
import { validateTolerations } from '../../core/v1/taint/validation.js'
import { validateLabels } from '../../metadata/labels.js'
import { validateImmutable } from '../../validation/immutability.js'
import { RuntimeClass } from './runtime-class.js'

export const runtimeClassTable = declareTable<RuntimeClass>(RuntimeClass, { Handler: ({ handler }) => handler })

export const runtimeClassStrategy = declareStrategy<RuntimeClass>(RuntimeClass, {
  createdByUpdate: true,
  updatedUnconditionally: false,
  validate: validateRuntimeClass,
  validateUpdate: (runtimeClass, old) => [
    ...validateRuntimeClass(runtimeClass),
    ...validateImmutable(runtimeClass.handler, old.handler, fieldPath('handler')),
  ],
})

/** Without claims and without leniency for old objects. */
const overheadContext = { claims: new Set<string>(), anyHugePages: () => false }

function validateRuntimeClass({ handler, overhead, scheduling }: RuntimeClass): readonly field.FieldError[] {
  return [
    ...field.invalidForEach(fieldPath('handler'), handler, dnsLabel(handler)),
    // Errors of the overhead have the form of container limits.
    ...(overhead?.podFixed
      ? validateContainerResources({ limits: overhead.podFixed }, fieldPath('overhead'), overheadContext)
      : field.none),
    ...(scheduling
      ? [
          ...validateLabels(scheduling.nodeSelector, fieldPath('scheduling', 'nodeSelector')),
          ...validateTolerations(scheduling.tolerations, fieldPath('scheduling', 'tolerations')),
        ]
      : field.none),
  ]
}
