import type { Clock } from '../../../base/clock.js'
import type { Environment } from '../../../base/environment.js'
import type { JsonObject } from '../../../schema/declaration.js'
import type { AdmissionRequest } from '../admission.js'
import { AuditAnnotations } from './annotations.js'
import { callWebhook, WebhookTransportError } from './call-webhook.js'
import { dryRunUnsupported, WebhookCallError, webhookDenial } from './failures.js'
import type { Invocation } from './match.js'
import { readReview, UnreadableResponseError } from './read-response.js'
import { type AdmissionReviewVersion, admissionReview, reviewVersion } from './review.js'
import type { WebhookSubject } from './subject.js'
import { InvalidResponseError, type VerifiedResponse, verified } from './verified-response.js'
import type { WebhookSettings } from './webhook.js'
import type { AdmissionWebhookClient, WebhookClients } from './webhook-clients.js'
import { WebhookMetrics, type WebhookType } from './webhook-metrics.js'

/** One call of a webhook. */
export interface WebhookCall {
  readonly invocation: Invocation
  readonly subject: WebhookSubject
  /** The objects in the version that the webhook sees. */
  readonly object: JsonObject | undefined
  readonly old: JsonObject | undefined
}

const defaultTimeoutSeconds = 10
const sideEffectsOnDryRun: readonly string[] = ['None', 'NoneOnDryRun']

/** Calls webhooks of one type; records metrics, audit annotations and warnings. */
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
   * Returns what `use` makes of the response; undefined if the webhook failed and its policy is `Ignore`. Throws the denial of the webhook, its
   * failure, or the error of `use`.
   */
  async call<T>(call: WebhookCall, use: (response: VerifiedResponse) => T): Promise<T | undefined> {
    const { clock, log } = this.#environment
    const { settings } = call.invocation.webhook
    const started = clock.monotonic()
    try {
      const result = use(await this.#send(call))
      this.#observe(call, started, undefined)
      return result
    } catch (error) {
      this.#observe(call, started, error)
      if (!(error instanceof WebhookCallError)) throw error
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

  async #send(call: WebhookCall): Promise<VerifiedResponse> {
    const { webhook } = call.invocation
    const { request } = call.subject
    const { name } = webhook.settings
    checkDryRun(webhook.settings, request)
    const version = reviewVersion(webhook.settings.admissionReviewVersions)
    if (!version) {
      const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)'
      throw new WebhookCallError(name, `could not create admission objects: ${why}`, 400)
    }
    const client = await this.#client(webhook.settings)
    const response = await this.#response(call, version, client)
    for (const [key, value] of Object.entries(response.annotations))
      this.annotations.add(request, `${name}/${key}`, value)
    for (const warning of response.warnings) if (warning !== '') request.warn(warning)
    if (!response.allowed) throw webhookDenial(name, response.result)
    return response
  }

  async #client({ name, clientConfig }: WebhookSettings): Promise<AdmissionWebhookClient> {
    try {
      return await this.#clients.of(clientConfig)
    } catch (error) {
      throw new WebhookCallError(name, `could not get REST client: ${(error as Error).message}`, 500)
    }
  }

  async #response(
    call: WebhookCall,
    version: AdmissionReviewVersion,
    client: AdmissionWebhookClient,
  ): Promise<VerifiedResponse> {
    const { webhook } = call.invocation
    const uid = this.#environment.random.uuid()
    const review = admissionReview({ ...call, version, uid })
    try {
      const body = await callWebhook(client, review, this.#limits(webhook.settings, call.subject.request))
      return verified(readReview(body, version), { version, uid, isMutating: this.#type === 'admit' })
    } catch (error) {
      throw asCallError(webhook.settings.name, error)
    }
  }

  /** Limits the call to the webhook's timeout and the deadline of the request. */
  #limits({ timeoutSeconds = defaultTimeoutSeconds }: WebhookSettings, { context }: AdmissionRequest) {
    const { clock } = this.#environment
    const left = context?.deadline === undefined ? Number.POSITIVE_INFINITY : context.deadline - clock.monotonic()
    return { clock, limit: Math.min(timeoutSeconds * 1000, left), gone: context?.request.signal }
  }
}

function asCallError(webhook: string, error: unknown): unknown {
  if (error instanceof WebhookTransportError)
    return new WebhookCallError(webhook, `failed to call webhook: ${error.message}`, error.code)
  if (error instanceof UnreadableResponseError)
    return new WebhookCallError(webhook, `failed to call webhook: ${error.message}`, 503)
  if (error instanceof InvalidResponseError)
    return new WebhookCallError(webhook, `received invalid webhook response: ${error.message}`, 503)
  return error
}

function checkDryRun({ name, sideEffects }: WebhookSettings, { dryRun }: AdmissionRequest): void {
  if (!dryRun) return
  if (sideEffects === null || sideEffects === undefined)
    throw new WebhookCallError(name, 'Webhook SideEffects is nil', 400)
  if (!sideEffectsOnDryRun.includes(sideEffects)) throw dryRunUnsupported(name)
}
