import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { portNumber } from '../../../schema/identifiers.js'
import type { Draft } from '../../../schema/infer.js'
import { dns1035Label, dnsSubdomain } from '../../../schema/names.js'
import { quote } from '../../../schema/quote.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { pathSegmentName } from '../../metadata/name-validation.js'
import {
  APIService,
  type APIServiceCondition,
  type APIServiceSpec,
  type APIServiceStatus,
  type ServiceReference,
} from './api-service.js'

const specPath = fieldPath('spec')

export const apiServiceTable = declareTable<APIService>(APIService, {
  Service: ({ spec: { service } }) => (service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local'),
  Available: ({ status }) => availability(status),
})

function availability({ conditions }: APIServiceStatus): string {
  const condition = (conditions ?? []).find(({ type }) => type === 'Available')
  if (!condition) return 'Unknown'
  return condition.status === 'True' ? 'True' : `${condition.status} (${condition.reason ?? ''})`
}

export const apiServiceStrategy = declareStrategy<APIService>(APIService, {
  plainFinalizers: true,
  name: pathSegmentName,
  updatedUnconditionally: false,
  prepareCreate(draft, { time }) {
    draft.status = draft.spec.service ? {} : { conditions: [locallyAvailable(time)] }
  },
  validate: validateAPIService,
  subresources: { status: { validateUpdate: ({ status }) => validateStatus(status) } },
})

/** The condition of a local API service, which is always available. */
function locallyAvailable(lastTransitionTime: string): Draft<APIServiceCondition> {
  const message = 'Local APIServices are always available'
  return { type: 'Available', status: 'True', lastTransitionTime, reason: 'Local', message }
}

function validateAPIService({ metadata, spec }: APIService): readonly field.FieldError[] {
  return [
    ...validateServiceName(metadata.name ?? '', spec),
    ...validateGroupVersion(spec),
    ...validatePriorities(spec),
    ...(spec.service ? validateRemote(spec, spec.service) : validateLocal(spec)),
  ]
}

/** The name consists of version and group, so that there is one service for each. */
function validateServiceName(name: string, { group = '', version = '' }: APIServiceSpec): readonly field.FieldError[] {
  const required = `${version}.${group}`
  if (name === required || pathSegmentName(name, false).length > 0) return field.none
  const detail = `must be \`spec.version+"."+spec.group\`: ${quote(required)}`
  return [field.invalid(fieldPath('metadata', 'name'), name, detail)]
}

function validateGroupVersion({ group = '', version = '' }: APIServiceSpec): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (group !== '') errors.push(...field.invalidForEach(specPath.child('group'), group, dnsSubdomain(group)))
  else if (version !== 'v1')
    errors.push(field.required(specPath.child('group'), 'only v1 may have an empty group and it better be legacy kube'))
  errors.push(...field.invalidForEach(specPath.child('version'), version, dns1035Label(version)))
  return errors
}

function validatePriorities(spec: APIServiceSpec): readonly field.FieldError[] {
  const limits = [
    ['groupPriorityMinimum', 20_000],
    ['versionPriority', 1_000],
  ] as const
  return limits
    .filter(([name, limit]) => spec[name] <= 0 || spec[name] > limit)
    .map(([name, limit]) => field.invalid(specPath.child(name), spec[name], `must be positive and less than ${limit}`))
}

function validateLocal({ caBundle = '', insecureSkipTLSVerify }: APIServiceSpec): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (caBundle !== '') {
    const size = `${Buffer.from(caBundle, 'base64').length} bytes`
    errors.push(field.invalid(specPath.child('caBundle'), size, 'local APIServices may not have a caBundle'))
  }
  if (insecureSkipTLSVerify)
    errors.push(
      field.invalid(
        specPath.child('insecureSkipTLSVerify'),
        true,
        'local APIServices may not have insecureSkipTLSVerify',
      ),
    )
  return errors
}

function validateRemote(spec: APIServiceSpec, service: ServiceReference): readonly field.FieldError[] {
  const path = specPath.child('service')
  const errors: field.FieldError[] = []
  if (!service.namespace) errors.push(field.required(path.child('namespace')))
  if (!service.name) errors.push(field.required(path.child('name')))
  const { port = 443 } = service
  const messages = portNumber(port)
  if (messages.length > 0)
    errors.push(field.invalid(path.child('port'), port, `port is not valid: ${messages.join(', ')}`))
  if (spec.insecureSkipTLSVerify && spec.caBundle)
    errors.push(field.invalid(specPath.child('insecureSkipTLSVerify'), true, 'may not be true if caBundle is present'))
  return errors
}

function validateStatus({ conditions }: APIServiceStatus): readonly field.FieldError[] {
  const path = fieldPath('status', 'conditions')
  const statuses = ['True', 'False', 'Unknown']
  return (conditions ?? []).flatMap(({ status }, i) =>
    statuses.includes(status) ? [] : [field.notSupported(path.index(i).child('status'), status, statuses)],
  )
}
