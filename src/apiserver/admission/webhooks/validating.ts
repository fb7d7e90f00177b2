import type { JsonObject } from '../../../schema/declaration.js'
import type { ServedResource } from '../../registry/served-resource.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { Invocation } from './match.js'
import { type DispatchParts, refusalOf } from './mutating.js'
import { shown } from './shown-objects.js'
import { isExempt, type Subject, subjectOf } from './subject.js'
import { checkTime } from './time-left.js'
import type { Question } from './webhook-caller.js'

const failedOpen = 'failed-open.validating.webhook.admission.k8s.io/round_0_index_'

/** All webhooks look at once at what is to be stored. One no is enough; of several, the first that came is told. */
export class ValidatingWebhooks implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionWebhook'
  readonly #parts: DispatchParts

  constructor(parts: DispatchParts) {
    this.#parts = parts
  }

  readonly handles = (request: AdmissionRequest): boolean =>
    this.#parts.source.webhooks.length > 0 && !isExempt(request)

  readonly validate = async (request: AdmissionRequest): Promise<void> => {
    const subject = subjectOf(request)
    const questions = await this.#questions(subject)
    if (questions.length === 0) return
    checkTime(request, this.#parts.caller.clock)
    const refusals: unknown[] = []
    await Promise.all(
      questions.map((question, index) => this.#ask(question, index).catch((error) => refusals.push(refusalOf(error)))),
    )
    if (refusals.length > 0) throw refusals[0]
  }

  async #questions(subject: Subject): Promise<readonly Question[]> {
    const { source, matcher } = this.#parts
    const views = new Views(subject, this.#parts)
    const questions: Question[] = []
    for (const webhook of source.webhooks) {
      const matched = matcher.match(webhook, subject, subject.request)
      const invocation = matched && (await matched)
      if (invocation) questions.push(views.question(invocation))
    }
    return questions
  }

  async #ask(question: Question, index: number): Promise<void> {
    const { caller } = this.#parts
    const { request } = question.subject
    const isAnswered = await caller.call(question, () => true)
    if (isAnswered) return
    caller.annotations.add(request, `${failedOpen}${index}`, question.invocation.webhook.settings.name)
    checkTime(request, caller.clock)
  }
}

/** Webhooks that want the same version share what they are shown. */
class Views {
  readonly #subject: Subject
  readonly #scheme: DispatchParts['scheme']
  readonly #made = new Map<ServedResource, Pick<Question, 'object' | 'old'>>()

  constructor(subject: Subject, { scheme }: DispatchParts) {
    this.#subject = subject
    this.#scheme = scheme
  }

  question(invocation: Invocation): Question {
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
