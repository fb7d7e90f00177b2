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

/** All webhooks look at once at what is to be stored. One no is enough; of several, the first that came is told. */
export class ValidatingWebhooks implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionWebhook'
  readonly #parts: DispatchDependencies

  constructor(parts: DispatchDependencies) {
    this.#parts = parts
  }

  readonly handles = (request: AdmissionRequest): boolean =>
    this.#parts.source.webhooks.length > 0 && !isExempt(request)

  readonly validate = async (request: AdmissionRequest): Promise<void> => {
    const subject = webhookSubject(request)
    const questions = await this.#questions(subject)
    if (questions.length === 0) return
    checkDeadline(request, this.#parts.caller.clock)
    const refusals: unknown[] = []
    await Promise.all(
      questions.map((question, index) =>
        this.#ask(question, index).catch((error) => refusals.push(rejectionOfCall(error))),
      ),
    )
    if (refusals.length > 0) throw refusals[0]
  }

  async #questions(subject: WebhookSubject): Promise<readonly WebhookCall[]> {
    const { source, matcher } = this.#parts
    const views = new Views(subject, this.#parts)
    const questions: WebhookCall[] = []
    for (const webhook of source.webhooks) {
      const matched = matcher.match(webhook, subject, subject.request)
      const invocation = matched && (await matched)
      if (invocation) questions.push(views.question(invocation))
    }
    return questions
  }

  async #ask(question: WebhookCall, index: number): Promise<void> {
    const { caller } = this.#parts
    const { request } = question.subject
    const isAnswered = await caller.call(question, () => true)
    if (isAnswered) return
    caller.annotations.add(request, `${failedOpen}${index}`, question.invocation.webhook.settings.name)
    checkDeadline(request, caller.clock)
  }
}

/** Webhooks that want the same version share what they are shown. */
class Views {
  readonly #subject: WebhookSubject
  readonly #scheme: DispatchDependencies['scheme']
  readonly #made = new Map<ServedResource, Pick<WebhookCall, 'object' | 'old'>>()

  constructor(subject: WebhookSubject, { scheme }: DispatchDependencies) {
    this.#subject = subject
    this.#scheme = scheme
  }

  question(invocation: Invocation): WebhookCall {
    const { served } = invocation
    let view = this.#made.get(served)
    if (!view) {
      const { object, old } = this.#subject.request
      view = { object: this.#shown(served, object), old: this.#shown(served, old) }
      this.#made.set(served, view)
    }
    return { invocation, subject: this.#subject, ...view }
  }

  #shown(served: ServedResource, object: AdmissionRequest['object'] | AdmissionRequest['old']): JsonObject | undefined {
    return shown(this.#subject, served, this.#scheme, object as AdmissionRequest['old'])
  }
}
