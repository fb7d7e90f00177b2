import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { domainPrefixedPath } from '../../../schema/label-names.js'
import { dnsLabel } from '../../../schema/names.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { immutable } from '../../validation/immutability.js'
import { IngressClass, IngressClassParametersReference } from './ingress-class.js'
import { validateReference } from './ingress-validation.js'

const longestController = 250

export const parametersDefaults = declareDefaults<IngressClassParametersReference>(
  IngressClassParametersReference,
  (parameters) => {
    parameters.scope ??= 'Cluster'
  },
)

export const ingressClassTable = declareTable<IngressClass>(IngressClass, {
  Controller: ({ spec }) => spec.controller ?? '',
  Parameters: ({ spec: { parameters } }) => (parameters ? parametersText(parameters) : '<none>'),
})

function parametersText({ kind, apiGroup, name }: IngressClassParametersReference): string {
  return `${kind}${apiGroup === undefined ? '' : `.${apiGroup}`}/${name}`
}

export const ingressClassStrategy = declareStrategy<IngressClass>(IngressClass, {
  intent: ({ spec }) => [spec],
  validate: validateIngressClass,
  *validateUpdate(ingressClass, old) {
    const { controller = '' } = ingressClass.spec
    if (controller !== (old.spec.controller ?? '')) yield field.invalid(controllerPath, controller, immutable)
    yield* validateIngressClass(ingressClass)
  },
})

const controllerPath = fieldPath('spec', 'controller')

function* validateIngressClass({ spec }: IngressClass): Iterable<field.FieldError> {
  const { controller = '', parameters } = spec
  if (controller === '') yield field.required(controllerPath)
  else {
    if (Buffer.byteLength(controller) > longestController) yield field.tooLong(controllerPath, longestController)
    yield* domainPrefixedPath(controllerPath, controller)
  }
  if (parameters) yield* validateParameters(parameters, fieldPath('spec', 'parameters'))
}

const scopes = ['Cluster', 'Namespace'] as const

function* validateParameters(parameters: IngressClassParametersReference, path: FieldPath): Iterable<field.FieldError> {
  yield* validateReference(parameters, path)
  const { scope = '', namespace } = parameters
  const namespacePath = path.child('namespace')
  if (scope === 'Cluster') {
    if (namespace !== undefined) yield field.forbidden(namespacePath, "`parameters.scope` is set to 'Cluster'")
  } else if (scope !== 'Namespace') yield field.notSupported(path.child('scope'), scope, scopes)
  else if (namespace === undefined) yield field.required(namespacePath, "`parameters.scope` is set to 'Namespace'")
  else yield* field.invalidForEach(namespacePath, namespace, dnsLabel(namespace))
}
