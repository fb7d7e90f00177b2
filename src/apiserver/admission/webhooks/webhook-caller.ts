import type { Clock } from '../../../base/clock.js'
import type { Environment } from '../../../base/environment.js'
import type { JsonObject } from '../../../schema/declaration.js'
import type { AdmissionRequest } from '../admission.js'
import { AuditAnnotations } from './annotations.js'
import { askWebhook, NoAnswer } from './call-webhook.js'
import { CallFailure, denial, dryRunUnsupported } from './failures.js'
import type { Invocation } from './match.js'
import { readReview, UnreadableAnswer } from './read-response.js'
import { type AdmissionReviewVersion, admissionReview, reviewVersion } from './review.js'
import type { WebhookSubject } from './subject.js'
import { InvalidAnswer, type VerifiedAnswer, verified } from './verified-response.js'
import type { WebhookSettings } from './webhook.js'
import type { AdmissionWebhookClient, WebhookClients } from './webhook-clients.js'
import { WebhookMetrics, type WebhookType } from './webhook-metrics.js'

/** What a webhook is asked about. */
export interface WebhookCall {
  readonly invocation: Invocation
  readonly subject: WebhookSubject
  /** As it is to see them. */
  readonly object: JsonObject | undefined
  readonly old: JsonObject | undefined
}

const usualSeconds = 10
const harmless: readonly string[] = ['None', 'NoneOnDryRun']

/** Asks webhooks of one type, one question at a time, and says what came of it to everybody whom it concerns. */
export class WebhookCaller {
  readonly annotations: AuditAnnotations
  readonly #environment: Environment
  readonly #clients: WebhookClients
  readonly #type: WebhookType
  readonly #metrics: WebhookMetrics

  constructor(environment: Environment, clients: WebhookClients, type: WebhookType) {
    this.#environment = environment
    this.#clients = clients
    this.#type = type
    this.#metrics = new WebhookMetrics(environment.metrics)
    this.annotations = new AuditAnnotations(environment)
  }

  get clock(): Clock {
    return this.#environment.clock
  }

  /**
   * Lets `use` work with the answer; undefined if the webhook failed and that does not matter. Throws what refuses the request:
   * the webhook's no, its failure, or what is wrong with what it wants.
   */
  async call<T>(question: WebhookCall, use: (answer: VerifiedAnswer) => T): Promise<T | undefined> {
    const { clock, log } = this.#environment
    const { settings } = question.invocation.webhook
    const started = clock.monotonic()
    try {
      const result = use(await this.#ask(question))
      this.#observe(question, started, undefined)
      return result
    } catch (error) {
      this.#observe(question, started, error)
      if (!(error instanceof CallFailure)) throw error
      const isIgnored = settings.failurePolicy === 'Ignore'
      log.warn(isIgnored ? 'failed calling webhook, failing open' : 'failed calling webhook, failing closed', { error })
      if (!isIgnored) throw error
      this.#metrics.failedOpen(settings.name, this.#type)
      return undefined
    }
  }

  #observe({ invocation, subject }: WebhookCall, started: number, error: unknown): void {
    const { name, failurePolicy } = invocation.webhook.settings
    const duration = (this.#environment.clock.monotonic() - started) / 1000
    const { operation } = subject
    const isIgnored = failurePolicy === 'Ignore'
    this.#metrics.observe({ name, type: this.#type, operation, duration, isIgnored, error })
  }

  async #ask(question: WebhookCall): Promise<VerifiedAnswer> {
    const { webhook } = question.invocation
    const { request } = question.subject
    const { name } = webhook.settings
    checkDryRun(webhook.settings, request)
    const version = reviewVersion(webhook.settings.admissionReviewVersions)
    if (!version) {
      const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)'
      throw new CallFailure(name, `could not create admission objects: ${why}`, 400)
    }
    const client = await this.#client(webhook.settings)
    const answer = await this.#answer(question, version, client)
    for (const [key, value] of Object.entries(answer.annotations))
      this.annotations.add(request, `${name}/${key}`, value)
    for (const warning of answer.warnings) if (warning !== '') request.warn(warning)
    if (!answer.allowed) throw denial(name, answer.result)
    return answer
  }

  async #client({ name, clientConfig }: WebhookSettings): Promise<AdmissionWebhookClient> {
    try {
      return await this.#clients.of(clientConfig)
    } catch (error) {
      throw new CallFailure(name, `could not get REST client: ${(error as Error).message}`, 500)
    }
  }

  async #answer(
    question: WebhookCall,
    version: AdmissionReviewVersion,
    client: AdmissionWebhookClient,
  ): Promise<VerifiedAnswer> {
    const { webhook } = question.invocation
    const uid = this.#environment.random.uuid()
    const review = admissionReview({ ...question, version, uid })
    try {
      const body = await askWebhook(client, review, this.#limits(webhook.settings, question.subject.request))
      return verified(readReview(body, version), { version, uid, isMutating: this.#type === 'admit' })
    } catch (error) {
      throw asFailure(webhook.settings.name, error)
    }
  }

  /** As long as the webhook may take, and no longer than the request. */
  #limits({ timeoutSeconds = usualSeconds }: WebhookSettings, { context }: AdmissionRequest) {
    const { clock } = this.#environment
    const left = context?.deadline === undefined ? Number.POSITIVE_INFINITY : context.deadline - clock.now()
    return { clock, limit: Math.min(timeoutSeconds * 1000, left), gone: context?.request.signal }
  }
}

function asFailure(webhook: string, error: unknown): unknown {
  if (error instanceof NoAnswer) return new CallFailure(webhook, `failed to call webhook: ${error.message}`, error.code)
  if (error instanceof UnreadableAnswer)
    return new CallFailure(webhook, `failed to call webhook: ${error.message}`, 503)
  if (error instanceof InvalidAnswer)
    return new CallFailure(webhook, `received invalid webhook response: ${error.message}`, 503)
  return error
}

function checkDryRun({ name, sideEffects }: WebhookSettings, { dryRun }: AdmissionRequest): void {
  if (!dryRun) return
  if (sideEffects === null || sideEffects === undefined) throw new CallFailure(name, 'Webhook SideEffects is nil', 400)
  if (!harmless.includes(sideEffects)) throw dryRunUnsupported(name)
}
