import type { JsonObject } from '../../../schema/declaration.js'
import type { ServedResource } from '../../registry/served-resource.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { checkDeadline } from './failures.js'
import type { Invocation } from './match.js'
import { type DispatchDependencies, rejectionOfCall } from './mutating.js'
import { shown } from './shown-objects.js'
import { isExempt, type WebhookSubject, webhookSubject } from './subject.js'
import type { WebhookCall } from './webhook-caller.js'

const failedOpen = 'failed-open.validating.webhook.admission.k8s.io/round_0_index_'

/** Calls all webhooks at once. One denial rejects the request; of several, the first one to arrive is reported. */
export class ValidatingWebhooks implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionWebhook'
  readonly #dependencies: DispatchDependencies

  constructor(dependencies: DispatchDependencies) {
    this.#dependencies = dependencies
  }

  readonly handles = (request: AdmissionRequest): boolean =>
    this.#dependencies.source.webhooks.length > 0 && !isExempt(request)

  readonly validate = async (request: AdmissionRequest): Promise<void> => {
    const subject = webhookSubject(request)
    const calls = await this.#callsFor(subject)
    if (calls.length === 0) return
    checkDeadline(request, this.#dependencies.caller.clock)
    const rejections: unknown[] = []
    await Promise.all(
      calls.map((call, index) => this.#call(call, index).catch((error) => rejections.push(rejectionOfCall(error)))),
    )
    if (rejections.length > 0) throw rejections[0]
  }

  async #callsFor(subject: WebhookSubject): Promise<readonly WebhookCall[]> {
    const { source, matcher } = this.#dependencies
    const views = new ObjectViews(subject, this.#dependencies)
    const calls: WebhookCall[] = []
    for (const webhook of source.webhooks) {
      const matched = matcher.match(webhook, subject, subject.request)
      const invocation = matched && (await matched)
      if (invocation) calls.push(views.callFor(invocation))
    }
    return calls
  }

  async #call(call: WebhookCall, index: number): Promise<void> {
    const { caller } = this.#dependencies
    const { request } = call.subject
    const isAccepted = await caller.call(call, () => true)
    if (isAccepted) return
    caller.annotations.add(request, `${failedOpen}${index}`, call.invocation.webhook.settings.name)
    checkDeadline(request, caller.clock)
  }
}

/** Objects by version: webhooks that see the same version share them. */
class ObjectViews {
  readonly #subject: WebhookSubject
  readonly #scheme: DispatchDependencies['scheme']
  readonly #views = new Map<ServedResource, Pick<WebhookCall, 'object' | 'old'>>()

  constructor(subject: WebhookSubject, { scheme }: DispatchDependencies) {
    this.#subject = subject
    this.#scheme = scheme
  }

  callFor(invocation: Invocation): WebhookCall {
    const { served } = invocation
    let view = this.#views.get(served)
    if (!view) {
      const { object, old } = this.#subject.request
      view = { object: this.#shown(served, object), old: this.#shown(served, old) }
      this.#views.set(served, view)
    }
    return { invocation, subject: this.#subject, ...view }
  }

  #shown(served: ServedResource, object: AdmissionRequest['object'] | AdmissionRequest['old']): JsonObject | undefined {
    return shown(this.#subject, served, this.#scheme, object as AdmissionRequest['old'])
  }
}
