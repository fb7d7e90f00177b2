import type { Namespace } from '../../../api/core/v1/namespace.js'
import { forbidden, internalError, notFound } from '../../../api/errors.js'
import type { LabelSelector } from '../../../api/selectors/label-selector.js'
import { quote } from '../../../schema/quote.js'
import { ValueError } from '../../../schema/value-error.js'
import type { ServedResource } from '../../registry/served-resource.js'
import type { ObjectLookup } from '../lookup.js'
import { type GroupVersionResource, matchesRule } from './rules.js'
import { equivalents, type RequestedKind, requestedResource, type WebhookSubject } from './subject.js'
import type { Webhook } from './webhook.js'

/** That a webhook is to be called, and what it is to be shown. */
export interface Invocation {
  readonly webhook: Webhook
  readonly resource: GroupVersionResource
  readonly kind: RequestedKind
  /** The resource in whose version it sees the object. */
  readonly served: ServedResource
}

type Labelled = { readonly metadata: { readonly labels?: Readonly<Record<string, string>> | undefined } } | undefined

/** An object as it is now: a webhook may have changed it since the request came. */
export interface MatchedObjects {
  readonly object: Labelled
  readonly old: Labelled
}

/** Decides whether a webhook wants to know of a request. */
export class Matcher {
  readonly #resources: Iterable<ServedResource>
  readonly #namespaces: ObjectLookup<Namespace>

  constructor(resources: Iterable<ServedResource>, namespaces: ObjectLookup<Namespace>) {
    this.#resources = resources
    this.#namespaces = namespaces
  }

  /** Undefined if it does not, which its rules say at once. What cannot be decided refuses the request. */
  match(
    webhook: Webhook,
    subject: WebhookSubject,
    objects: MatchedObjects,
  ): Promise<Invocation | undefined> | undefined {
    const invocation = this.#byRules(webhook, subject)
    return invocation && this.#bySelectors(invocation, subject, objects)
  }

  async #bySelectors(
    invocation: Invocation,
    subject: WebhookSubject,
    objects: MatchedObjects,
  ): Promise<Invocation | undefined> {
    const { webhook } = invocation
    const isSelected = (await this.#matchesNamespace(webhook, subject, objects)) && matchesObject(webhook, objects)
    return isSelected && mayBeAsked(webhook, subject) ? invocation : undefined
  }

  #byRules(webhook: Webhook, subject: WebhookSubject): Invocation | undefined {
    const { rules = [], matchPolicy } = webhook.settings
    const { resource, kind, request } = subject
    if (rules.some((rule) => matchesRule(rule, subject))) return { webhook, resource, kind, served: request.resource }
    return matchPolicy === 'Equivalent' ? this.#byEquivalents(webhook, subject) : undefined
  }

  /** Earlier rules come first, and not earlier versions. */
  #byEquivalents(webhook: Webhook, subject: WebhookSubject): Invocation | undefined {
    const others = this.#othersOf(subject)
    if (others.length === 0) return undefined
    for (const rule of webhook.settings.rules ?? [])
      for (const other of others) {
        const resource = requestedResource(other)
        if (matchesRule(rule, { ...subject, resource })) return { webhook, resource, ...shownAs(subject, other) }
      }
    return undefined
  }

  #othersOf(subject: WebhookSubject): readonly ServedResource[] {
    subject.others ??= [...equivalents(subject, this.#resources)].filter(
      (served) => !isSame(requestedResource(served), subject.resource),
    )
    return subject.others
  }

  async #matchesNamespace(webhook: Webhook, subject: WebhookSubject, { object }: MatchedObjects): Promise<boolean> {
    const { namespace, resource, subresource, operation } = subject
    if (namespace === '' && resource.resource !== 'namespaces') return true
    const selector = read(webhook.namespaceSelector)
    if (selector.isEmpty) return true
    const isItself = resource.resource === 'namespaces' && subresource === ''
    if (isItself && (operation === 'CREATE' || operation === 'UPDATE'))
      return selector.matches(object?.metadata.labels ?? {})
    const found = await this.#namespaces.find(namespace)
    if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace)
    return selector.matches(found.metadata.labels ?? {})
  }
}

function isSame(left: GroupVersionResource, right: GroupVersionResource): boolean {
  return left.resource === right.resource && left.group === right.group && left.version === right.version
}

/** What is of a kind of its own looks the same through every version of the resource. */
function shownAs(
  { kind, isSubmission, request }: WebhookSubject,
  other: ServedResource,
): Pick<Invocation, 'kind' | 'served'> {
  if (isSubmission || request.resource.isView) return { kind, served: request.resource }
  const { group, version, kind: name } = other.type.kind
  return { kind: { group, version, kind: name }, served: other }
}

function matchesObject(webhook: Webhook, { object, old }: MatchedObjects): boolean {
  const selector = read(webhook.objectSelector)
  if (selector.isEmpty) return true
  return [object, old].some((one) => one !== undefined && selector.matches(one.metadata.labels ?? {}))
}

function read(selector: () => LabelSelector): LabelSelector {
  try {
    return selector()
  } catch (error) {
    throw error instanceof ValueError ? internalError(error.message) : error
  }
}

/** Conditions are written in a language that this server does not speak yet: it is as if each of them had failed. */
function mayBeAsked({ settings }: Webhook, { request: { resource, name } }: WebhookSubject): boolean {
  const { matchConditions = [], failurePolicy } = settings
  if (matchConditions.length === 0) return true
  if (failurePolicy === 'Ignore') return false
  const why = `the match conditions of admission webhook ${quote(settings.name)} cannot be evaluated: this server does not support CEL yet`
  throw forbidden(resource.groupResource, name, why)
}
