/** Validates the rules of a flow schema: subjects and requests. */
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { dnsLabel, dnsSubdomain } from '../../../schema/names.js'
import type {
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  ServiceAccountSubject,
  Subject,
} from './flow-schema.js'

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

export function validateFlowRule(rule: PolicyRulesWithSubjects, path: FieldPath): readonly field.FieldError[] {
  const subjects = rule.subjects ?? []
  const resourceRules = rule.resourceRules ?? []
  const nonResourceRules = rule.nonResourceRules ?? []
  const errors: field.FieldError[] = []
  if (subjects.length === 0)
    errors.push(field.required(path.child('subjects'), 'subjects must contain at least one value'))
  errors.push(...subjects.flatMap((subject, i) => validateSubject(subject, path.child('subjects').index(i))))
  if (resourceRules.length === 0 && nonResourceRules.length === 0)
    errors.push(field.required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'))
  errors.push(
    ...resourceRules.flatMap((one, i) => validateResourceRule(one, path.child('resourceRules').index(i))),
    ...nonResourceRules.flatMap((one, i) => validateNonResourceRule(one, path.child('nonResourceRules').index(i))),
  )
  return errors
}

/** The field of each kind of subject, in the order of the errors. */
const subjectFields = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const

function validateSubject(subject: Subject, path: FieldPath): readonly field.FieldError[] {
  if (!Object.hasOwn(subjectFields, subject.kind))
    return [field.notSupported(path.child('kind'), subject.kind, ['Group', 'ServiceAccount', 'User'])]
  const kind = subject.kind as keyof typeof subjectFields
  const name = subjectFields[kind]
  const others = (Object.keys(subjectFields) as (keyof typeof subjectFields)[]).filter((other) => other !== kind)
  return [
    ...validateNamed(subject, kind, path.child(name)),
    ...others.flatMap((other) => {
      const forbidden = subjectFields[other]
      const detail = `${forbidden} is forbidden when subject kind is not '${other}'`
      return subject[forbidden] ? [field.forbidden(path.child(forbidden), detail)] : []
    }),
  ]
}

function validateNamed(
  subject: Subject,
  kind: keyof typeof subjectFields,
  path: FieldPath,
): readonly field.FieldError[] {
  const name = subjectFields[kind]
  const named = subject[name]
  if (!named) return [field.required(path, `${name} is required when subject kind is '${kind}'`)]
  if (kind === 'ServiceAccount') return validateServiceAccount(named as ServiceAccountSubject, path)
  return named.name === '' ? [field.required(path.child('name'))] : field.none
}

function validateServiceAccount({ name, namespace }: ServiceAccountSubject, path: FieldPath): field.FieldError[] {
  const errors: field.FieldError[] = []
  if (name === '') errors.push(field.required(path.child('name')))
  else if (name !== '*') errors.push(...field.invalidForEach(path.child('name'), name, dnsSubdomain(name)))
  if (namespace === '')
    errors.push(field.required(path.child('namespace'), 'must specify namespace for service account'))
  else errors.push(...field.invalidForEach(path.child('namespace'), namespace, dnsLabel(namespace)))
  return errors
}

function validateResourceRule(rule: ResourcePolicyRule, path: FieldPath): readonly field.FieldError[] {
  return [
    ...validateVerbs(rule.verbs ?? [], path.child('verbs')),
    ...validateNames(rule.apiGroups ?? [], path.child('apiGroups'), 'api group'),
    ...validateNames(rule.resources ?? [], path.child('resources'), 'resource'),
    ...validateNamespaces(rule, path.child('namespaces')),
  ]
}

function validateVerbs(given: readonly string[], path: FieldPath): readonly field.FieldError[] {
  if (given.length === 0) return [field.required(path, 'verbs must contain at least one value')]
  if (given.includes('*'))
    return given.length === 1
      ? field.none
      : [field.invalid(path, given, "if '*' is present, must not specify other verbs")]
  return given.every((verb) => verbs.includes(verb)) ? field.none : [field.notSupported(path, given, verbs)]
}

function validateNames(given: readonly string[], path: FieldPath, noun: string): readonly field.FieldError[] {
  if (given.length === 0) return [field.required(path, `resource rules must supply at least one ${noun}`)]
  if (given.length === 1 || !given.includes('*')) return field.none
  return [field.invalid(path, given, `if '*' is present, must not specify other ${noun}s`)]
}

function validateNamespaces(rule: ResourcePolicyRule, path: FieldPath): readonly field.FieldError[] {
  const namespaces = rule.namespaces ?? []
  if (namespaces.length === 0 && !rule.clusterScope)
    return [field.required(path, 'resource rules that are not cluster scoped must supply at least one namespace')]
  if (namespaces.includes('*'))
    return namespaces.length === 1
      ? field.none
      : [field.invalid(path, namespaces, "if '*' is present, must not specify other namespaces")]
  const words = "each member of this list must be '*' or a DNS-1123 label; "
  return namespaces.flatMap((namespace, i) =>
    dnsLabel(namespace).map((message) => field.invalid(path.index(i), namespace, words + message)),
  )
}

function validateNonResourceRule(rule: NonResourcePolicyRule, path: FieldPath): readonly field.FieldError[] {
  return [
    ...validateVerbs(rule.verbs ?? [], path.child('verbs')),
    ...validateUrls(rule.nonResourceURLs ?? [], path.child('nonResourceURLs')),
  ]
}

function validateUrls(urls: readonly string[], path: FieldPath): readonly field.FieldError[] {
  if (urls.length === 0) return [field.required(path, 'nonResourceURLs must contain at least one value')]
  if (urls.includes('*'))
    return urls.length === 1
      ? field.none
      : [field.invalid(path, urls, "if '*' is present, must not specify other non-resource URLs")]
  return urls.flatMap((url, i) => {
    const problem = urlProblem(url)
    return problem === undefined ? [] : [field.invalid(path.index(i), url, problem)]
  })
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty'
  if (url === '/') return undefined
  if (!url.startsWith('/')) return 'must start with slash'
  if (url.includes(' ')) return 'must not contain white-space'
  if (url.includes('//')) return 'must not contain double slash'
  const first = url.indexOf('*')
  return first < 0 || (first === url.length - 1 && url.endsWith('/*'))
    ? undefined
    : 'wildcard can only do suffix matching'
}
