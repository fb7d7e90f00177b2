import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { fullyQualifiedName } from '../../../schema/names.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { validateVersions, validateWildcard } from '../v1/policy/match-resources-validation.js'
import { type Initializer, InitializerConfiguration, type Rule } from './initializer-configuration.js'

export const initializerConfigurationStrategy = declareStrategy<InitializerConfiguration>(InitializerConfiguration, {
  intent: ({ initializers }) => [initializers],
  updatedUnconditionally: false,
  validate: ({ initializers }) => validateInitializers(initializers ?? []),
})

function validateInitializers(initializers: readonly Initializer[]): readonly field.FieldError[] {
  const names = initializers.map(({ name }) => name)
  return initializers.flatMap(({ name, rules = [] }, i) => {
    const path = fieldPath('initializers').index(i)
    const isRepeated = name !== '' && names.indexOf(name) < i
    return [
      ...fullyQualifiedName(path.child('name'), name),
      ...rules.flatMap((rule, k) => validateRule(rule, path.child('rules').index(k))),
      ...(isRepeated ? [field.duplicate(path.child('name'), name)] : []),
    ]
  })
}

function validateRule(rule: Rule, path: FieldPath): readonly field.FieldError[] {
  return [
    ...validateWildcard(rule.apiGroups ?? [], path.child('apiGroups'), 'API groups'),
    ...validateVersions(rule.apiVersions ?? [], path.child('apiVersions')),
    ...validateResources(rule.resources ?? [], path.child('resources')),
  ]
}

/** Rejects subresources: only whole objects are initialized. */
function validateResources(resources: readonly string[], path: FieldPath): readonly field.FieldError[] {
  if (resources.length === 0) return [field.required(path)]
  return [
    ...resources.flatMap((resource, i) => {
      if (resource === '') return [field.required(path.index(i))]
      return resource.includes('/') ? [field.invalid(path.index(i), resource, 'must not specify subresources')] : []
    }),
    ...validateWildcard(resources, path, 'resources'),
  ]
}
