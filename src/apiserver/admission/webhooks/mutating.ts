import type { Scheme } from '../../../schema/scheme.js'
import type { AdmissionPlugin, AdmissionRequest, Round } from '../admission.js'
import { CallFailure, checkDeadline, Denial } from './failures.js'
import type { Invocation, Matcher } from './match.js'
import { type Patched, patched } from './object-patch.js'
import { Reinvocation } from './reinvocation.js'
import { ChangingObject, keepInNamespace, shown, shownType } from './shown-objects.js'
import { isExempt, type WebhookSubject, webhookSubject } from './subject.js'
import type { Webhook } from './webhook.js'
import type { WebhookCall, WebhookCaller } from './webhook-caller.js'
import type { WebhookSource } from './webhook-source.js'

export interface DispatchDependencies {
  readonly source: WebhookSource
  readonly matcher: Matcher
  readonly caller: WebhookCaller
  readonly scheme: Scheme
}

const mutations = 'mutation.webhook.admission.k8s.io/'
const patches = 'patch.webhook.admission.k8s.io/'

/** One webhook after the other may change what is to be stored. */
export class MutatingWebhooks implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionWebhook'
  readonly #parts: DispatchDependencies
  readonly #reinvocations = new WeakMap<AdmissionRequest, Reinvocation>()

  constructor(parts: DispatchDependencies) {
    this.#parts = parts
  }

  readonly handles = (request: AdmissionRequest): boolean =>
    this.#parts.source.webhooks.length > 0 && !isExempt(request)

  readonly mutate = async (request: AdmissionRequest, round: Round): Promise<boolean> => {
    const reinvocation = this.#reinvocations.get(request) ?? new Reinvocation()
    this.#reinvocations.set(request, reinvocation)
    if (round === 1 && reinvocation.isDifferent(request.object)) reinvocation.changed()
    const dispatch = new MutatingDispatch(this.#parts, request, { round, reinvocation })
    const isChanged = await dispatch.run()
    if (isChanged) reinvocation.leave(request.object)
    return isChanged
  }
}

interface Turn {
  readonly round: Round
  readonly reinvocation: Reinvocation
}

/** One round of all webhooks for one request. */
class MutatingDispatch {
  readonly #parts: DispatchDependencies
  readonly #turn: Turn
  readonly #subject: WebhookSubject
  readonly #object: ChangingObject
  #isChanged = false

  constructor(parts: DispatchDependencies, request: AdmissionRequest, turn: Turn) {
    this.#parts = parts
    this.#turn = turn
    this.#subject = webhookSubject(request)
    this.#object = new ChangingObject(this.#subject, parts.scheme)
  }

  /** Whether the object has changed. */
  async run(): Promise<boolean> {
    const { source, matcher } = this.#parts
    const { request } = this.#subject
    for (const [index, webhook] of source.webhooks.entries()) {
      const matched = matcher.match(webhook, this.#subject, this.#object.objects)
      const invocation = matched && (await matched)
      if (invocation && this.#isDue(webhook)) await this.#invoke(invocation, index)
    }
    this.#object.settle()
    if (this.#isChanged && !this.#subject.isSubmission) keepInNamespace(request)
    return this.#isChanged
  }

  /** Who was not asked in the first round is not asked in the second. */
  #isDue({ id }: Webhook): boolean {
    return this.#turn.round === 0 || this.#turn.reinvocation.isWanted(id)
  }

  async #invoke(invocation: Invocation, index: number): Promise<void> {
    const { webhook } = invocation
    const { reinvocation } = this.#turn
    const isChanged = await this.#call(invocation, index)
    if (isChanged) {
      reinvocation.changed()
      this.#isChanged = true
    }
    if (webhook.settings.reinvocationPolicy === 'IfNeeded') reinvocation.asked(webhook.id)
  }

  async #call(invocation: Invocation, index: number): Promise<boolean> {
    const { caller } = this.#parts
    const { request } = this.#subject
    const { name } = invocation.webhook.settings
    const suffix = `round_${this.#turn.round}_index_${index}`
    let isMutated = false
    try {
      const answered = await caller.call(this.#question(invocation), (answer) => {
        const result = this.#patch(invocation, answer)
        return { result }
      })
      if (!answered) {
        caller.annotations.add(request, `failed-open.${mutations}${suffix}`, name)
        checkDeadline(request, caller.clock)
      }
      const result = answered?.result
      if (result) this.#tellPatch(invocation.webhook, suffix, result)
      isMutated = result?.isChanged ?? false
      return isMutated
    } catch (error) {
      throw rejectionOfCall(error)
    } finally {
      this.#tellMutation(invocation.webhook, suffix, isMutated)
    }
  }

  #question(invocation: Invocation): WebhookCall {
    const { served } = invocation
    const { old } = this.#subject.request
    return {
      invocation,
      subject: this.#subject,
      object: this.#object.seenBy(served),
      old: shown(this.#subject, served, this.#parts.scheme, old),
    }
  }

  #patch(
    { webhook, served }: Invocation,
    { patch, patchType }: { readonly patch: Buffer; readonly patchType: string },
  ): Patched | undefined {
    const object = this.#object.seenBy(served)
    const type = object && shownType(this.#subject, served, this.#parts.scheme)
    const result = patched({ webhook: webhook.settings.name, patch, patchType, object, type })
    if (result) this.#object.replace(result.object)
    return result
  }

  #tellMutation({ configuration, settings }: Webhook, suffix: string, mutated: boolean): void {
    const value = JSON.stringify({ configuration, webhook: settings.name, mutated })
    this.#parts.caller.annotations.add(this.#subject.request, `${mutations}${suffix}`, value)
  }

  #tellPatch({ configuration, settings }: Webhook, suffix: string, { operations }: Patched): void {
    const value = JSON.stringify({ configuration, webhook: settings.name, patch: operations, patchType: 'JSONPatch' })
    this.#parts.caller.annotations.add(this.#subject.request, `${patches}${suffix}`, value, 'request')
  }
}

/** What ends the request. */
export function rejectionOfCall(error: unknown): unknown {
  if (error instanceof CallFailure) return error.refusal()
  return error instanceof Denial ? error.refusal : error
}
