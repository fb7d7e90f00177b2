import type { Scheme } from '../../../schema/scheme.js'
import type { AdmissionPlugin, AdmissionRequest, Round } from '../admission.js'
import { checkDeadline, WebhookCallError, WebhookDenial } from './failures.js'
import type { Invocation, WebhookMatcher } from './match.js'
import { applyPatch, type PatchResult } from './object-patch.js'
import { Reinvocation } from './reinvocation.js'
import { ChangingObject, keepInNamespace, shown, shownType } from './shown-objects.js'
import { isExempt, type WebhookSubject, webhookSubject } from './subject.js'
import type { Webhook } from './webhook.js'
import type { WebhookCall, WebhookCaller } from './webhook-caller.js'
import type { WebhookSource } from './webhook-source.js'

export interface DispatchDependencies {
  readonly source: WebhookSource
  readonly matcher: WebhookMatcher
  readonly caller: WebhookCaller
  readonly scheme: Scheme
}

const mutations = 'mutation.webhook.admission.k8s.io/'
const patches = 'patch.webhook.admission.k8s.io/'

/** Calls webhooks one after the other; each may change the object. */
export class MutatingWebhooks implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionWebhook'
  readonly #dependencies: DispatchDependencies
  readonly #reinvocations = new WeakMap<AdmissionRequest, Reinvocation>()

  constructor(dependencies: DispatchDependencies) {
    this.#dependencies = dependencies
  }

  readonly handles = (request: AdmissionRequest): boolean =>
    this.#dependencies.source.webhooks.length > 0 && !isExempt(request)

  readonly mutate = async (request: AdmissionRequest, round: Round): Promise<boolean> => {
    const reinvocation = this.#reinvocations.get(request) ?? new Reinvocation()
    this.#reinvocations.set(request, reinvocation)
    if (round === 1 && reinvocation.isDifferent(request.object)) reinvocation.changed()
    const dispatch = new MutatingDispatch(this.#dependencies, request, { round, reinvocation })
    const isChanged = await dispatch.run()
    if (isChanged) reinvocation.remember(request.object)
    return isChanged
  }
}

interface RoundContext {
  readonly round: Round
  readonly reinvocation: Reinvocation
}

/** One round of all webhooks for one request. */
class MutatingDispatch {
  readonly #dependencies: DispatchDependencies
  readonly #context: RoundContext
  readonly #subject: WebhookSubject
  readonly #object: ChangingObject
  #isChanged = false

  constructor(dependencies: DispatchDependencies, request: AdmissionRequest, context: RoundContext) {
    this.#dependencies = dependencies
    this.#context = context
    this.#subject = webhookSubject(request)
    this.#object = new ChangingObject(this.#subject, dependencies.scheme)
  }

  /** Returns whether the object has changed. */
  async run(): Promise<boolean> {
    const { source, matcher } = this.#dependencies
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

  /** Whether to call a webhook in this round. */
  #isDue({ id }: Webhook): boolean {
    return this.#context.round === 0 || this.#context.reinvocation.isNeeded(id)
  }

  async #invoke(invocation: Invocation, index: number): Promise<void> {
    const { webhook } = invocation
    const { reinvocation } = this.#context
    const isChanged = await this.#call(invocation, index)
    if (isChanged) {
      reinvocation.changed()
      this.#isChanged = true
    }
    if (webhook.settings.reinvocationPolicy === 'IfNeeded') reinvocation.called(webhook.id)
  }

  async #call(invocation: Invocation, index: number): Promise<boolean> {
    const { caller } = this.#dependencies
    const { request } = this.#subject
    const { name } = invocation.webhook.settings
    const suffix = `round_${this.#context.round}_index_${index}`
    let isMutated = false
    try {
      const accepted = await caller.call(this.#callFor(invocation), (answer) => {
        const result = this.#patch(invocation, answer)
        return { result }
      })
      if (!accepted) {
        caller.annotations.add(request, `failed-open.${mutations}${suffix}`, name)
        checkDeadline(request, caller.clock)
      }
      const result = accepted?.result
      if (result) this.#annotatePatch(invocation.webhook, suffix, result)
      isMutated = result?.isChanged ?? false
      return isMutated
    } catch (error) {
      throw rejectionOfCall(error)
    } finally {
      this.#annotateMutation(invocation.webhook, suffix, isMutated)
    }
  }

  #callFor(invocation: Invocation): WebhookCall {
    const { served } = invocation
    const { old } = this.#subject.request
    return {
      invocation,
      subject: this.#subject,
      object: this.#object.seenBy(served),
      old: shown(this.#subject, served, this.#dependencies.scheme, old),
    }
  }

  #patch(
    { webhook, served }: Invocation,
    { patch, patchType }: { readonly patch: Buffer; readonly patchType: string },
  ): PatchResult | undefined {
    const object = this.#object.seenBy(served)
    const type = object && shownType(this.#subject, served, this.#dependencies.scheme)
    const result = applyPatch({ webhook: webhook.settings.name, patch, patchType, object, type })
    if (result) this.#object.replace(result.object)
    return result
  }

  #annotateMutation({ configuration, settings }: Webhook, suffix: string, mutated: boolean): void {
    const value = JSON.stringify({ configuration, webhook: settings.name, mutated })
    this.#dependencies.caller.annotations.add(this.#subject.request, `${mutations}${suffix}`, value)
  }

  #annotatePatch({ configuration, settings }: Webhook, suffix: string, { operations }: PatchResult): void {
    const value = JSON.stringify({ configuration, webhook: settings.name, patch: operations, patchType: 'JSONPatch' })
    this.#dependencies.caller.annotations.add(this.#subject.request, `${patches}${suffix}`, value, 'request')
  }
}

/** Returns the error of the request for an error of a call. */
export function rejectionOfCall(error: unknown): unknown {
  if (error instanceof WebhookCallError) return error.rejection()
  return error instanceof WebhookDenial ? error.rejection : error
}
