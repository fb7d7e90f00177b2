import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../api/flowcontrol/v1/flow-schema.js'
import type { RequestInfo } from '../request/request-info.js'
import type { RequestUser } from '../request/user.js'

/** The flow of a request: its schema, and a key within it. */
export interface Flow {
  readonly schema: FlowSchema
  /** Requests with different keys share the seats fairly. */
  readonly key: string
}

/** The rules of one schema that apply to a user. */
interface Candidate {
  readonly schema: FlowSchema
  readonly rules: readonly PolicyRulesWithSubjects[]
}

/** A snapshot of all flow schemas, in matching order. */
export class FlowSchemas {
  readonly #schemas: readonly FlowSchema[]
  /** Cached per user: users are immutable and shared by requests. */
  readonly #candidates = new WeakMap<RequestUser, readonly Candidate[]>()

  constructor(schemas: readonly FlowSchema[]) {
    this.#schemas = [...schemas].sort(inOrder)
  }

  /** Returns undefined if no schema matches the request. */
  flowOf(info: RequestInfo, user: RequestUser): Flow | undefined {
    for (const { schema, rules } of this.#for(user))
      if (rules.some((rule) => isAbout(rule, info))) return { schema, key: keyOf(schema, info, user) }
    return undefined
  }

  #for(user: RequestUser): readonly Candidate[] {
    let found = this.#candidates.get(user)
    if (!found) {
      found = this.#schemas.flatMap((schema) => {
        const rules = (schema.spec.rules ?? []).filter(({ subjects }) => subjects.some((each) => isSubject(each, user)))
        return rules.length === 0 ? [] : [{ schema, rules }]
      })
      this.#candidates.set(user, found)
    }
    return found
  }
}

function inOrder(left: FlowSchema, right: FlowSchema): number {
  const [a, b] = [left.spec.matchingPrecedence ?? 1000, right.spec.matchingPrecedence ?? 1000]
  return a - b || ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1)
}

function keyOf({ metadata, spec }: FlowSchema, { namespace }: RequestInfo, { name }: RequestUser): string {
  const by = spec.distinguisherMethod?.type
  const distinct = by === 'ByUser' ? name : by === 'ByNamespace' ? namespace : ''
  return `${metadata.name}/${distinct}`
}

function isSubject({ kind, user, group, serviceAccount }: Subject, requester: RequestUser): boolean {
  if (kind === 'User') return user?.name === '*' || user?.name === requester.name
  if (kind === 'Group') return group?.name === '*' || requester.groups.includes(group?.name ?? '')
  if (!serviceAccount) return false
  const prefix = `system:serviceaccount:${serviceAccount.namespace}:`
  return serviceAccount.name === '*'
    ? requester.name.startsWith(prefix)
    : requester.name === `${prefix}${serviceAccount.name}`
}

function isAbout({ resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects, info: RequestInfo): boolean {
  return info.isResource
    ? resourceRules.some((rule) => isResourceOf(rule, info))
    : nonResourceRules.some((rule) => isPathOf(rule, info))
}

function has(values: readonly string[] = [], value: string): boolean {
  return values.includes('*') || values.includes(value)
}

function isResourceOf(
  rule: ResourcePolicyRule,
  { verb, group, resource, subresource, namespace }: RequestInfo,
): boolean {
  const named = subresource === '' ? resource : `${resource}/${subresource}`
  if (!has(rule.verbs, verb) || !has(rule.apiGroups, group) || !has(rule.resources, named)) return false
  return namespace === '' ? rule.clusterScope === true : has(rule.namespaces, namespace)
}

function isPathOf({ verbs, nonResourceURLs }: NonResourcePolicyRule, { verb, path }: RequestInfo): boolean {
  if (!has(verbs, verb)) return false
  return nonResourceURLs.some((pattern) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  )
}
