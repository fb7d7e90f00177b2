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

/** A webhook to call, and the version of the object that it gets. */
export interface Invocation {
  readonly webhook: Webhook
  readonly resource: GroupVersionResource
  readonly kind: RequestedKind
  /** The resource in whose version the webhook sees the object. */
  readonly served: ServedResource
}

type Labelled = { readonly metadata: { readonly labels?: Readonly<Record<string, string>> | undefined } } | undefined

/** The current objects: an earlier webhook may have changed them. */
export interface MatchedObjects {
  readonly object: Labelled
  readonly old: Labelled
}

/** Decides whether to call a webhook for a request. */
export class WebhookMatcher {
  readonly #resources: Iterable<ServedResource>
  readonly #namespaces: ObjectLookup<Namespace>

  constructor(resources: Iterable<ServedResource>, namespaces: ObjectLookup<Namespace>) {
    this.#resources = resources
    this.#namespaces = namespaces
  }

  /** Returns undefined at once if the rules do not match. Throws if that cannot be decided. */
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
    return isSelected && conditionsAllow(webhook, subject) ? invocation : undefined
  }

  #byRules(webhook: Webhook, subject: WebhookSubject): Invocation | undefined {
    const { rules = [], matchPolicy } = webhook.settings
    const { resource, kind, request } = subject
    if (rules.some((rule) => matchesRule(rule, subject))) return { webhook, resource, kind, served: request.resource }
    return matchPolicy === 'Equivalent' ? this.#byEquivalents(webhook, subject) : undefined
  }

  /** Goes by the order of the rules, not of the versions. */
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

/** Objects of subresources with a kind of their own are the same in every version of the resource. */
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

/** The server does not support CEL yet: every match condition counts as failed. */
function conditionsAllow({ settings }: Webhook, { request: { resource, name } }: WebhookSubject): boolean {
  const { matchConditions = [], failurePolicy } = settings
  if (matchConditions.length === 0) return true
  if (failurePolicy === 'Ignore') return false
  const why = `the match conditions of admission webhook ${quote(settings.name)} cannot be evaluated: this server does not support CEL yet`
  throw forbidden(resource.groupResource, name, why)
}
