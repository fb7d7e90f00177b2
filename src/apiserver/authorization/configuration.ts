import { readFileSync } from 'node:fs'
import { parseDuration, toMilliseconds } from '../../base/duration.js'
import { parseYaml } from '../../wire/yaml.js'
import type { SubjectAccessReviewVersion } from './webhook/review-spec.js'

/** The configuration of one authorizer. */
export type AuthorizerConfiguration =
  | { readonly type: 'Node' | 'RBAC' | 'AlwaysAllow' | 'AlwaysDeny' }
  | { readonly type: 'ABAC'; readonly policyFile: string }
  | WebhookAuthorizerConfiguration

export interface WebhookAuthorizerConfiguration {
  readonly type: 'Webhook'
  readonly name: string
  /** A kubeconfig with the address of the webhook. */
  readonly configFile: string
  readonly version: SubjectAccessReviewVersion
  /** In milliseconds. */
  readonly timeout?: number
  readonly authorizedTtl: number
  readonly unauthorizedTtl: number
  readonly onFailure: 'no-opinion' | 'deny'
}

interface GivenWebhook {
  readonly timeout?: string
  readonly subjectAccessReviewVersion?: string
  readonly failurePolicy?: string
  readonly authorizedTTL?: string
  readonly unauthorizedTTL?: string
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string | null }
  readonly matchConditions?: readonly unknown[] | null
}

interface GivenAuthorizer {
  readonly type?: string
  readonly name?: string
  readonly webhook?: GivenWebhook | null
}

interface Given {
  readonly apiVersion?: string
  readonly kind?: string
  readonly authorizers?: readonly GivenAuthorizer[]
}

const versions = ['apiserver.config.k8s.io/v1', 'apiserver.config.k8s.io/v1beta1', 'apiserver.config.k8s.io/v1alpha1']
const plain = ['Node', 'RBAC', 'AlwaysAllow', 'AlwaysDeny'] as const

/** Reads the file of `--authorization-config`. Throws if it is invalid. */
export async function loadAuthorizationConfiguration(path: string): Promise<readonly AuthorizerConfiguration[]> {
  const { value } = await parseYaml(readFileSync(path, 'utf8'))
  const given = (value ?? {}) as Given
  if (given.kind !== 'AuthorizationConfiguration' || !versions.includes(given.apiVersion ?? ''))
    throw new Error(`${path} is not an AuthorizationConfiguration of ${versions[0]}`)
  const { authorizers = [] } = given
  if (authorizers.length === 0) throw new Error(`${path} names no authorizers; there must be at least one`)
  return authorizers.map((authorizer, index) => settingOf(authorizer, `${path}, authorizers[${index}]`))
}

function settingOf({ type = '', name = '', webhook }: GivenAuthorizer, where: string): AuthorizerConfiguration {
  const known = plain.find((one) => one === type)
  if (known) return { type: known }
  if (type !== 'Webhook') throw new Error(`${where}: there is no authorizer of type ${type || 'nothing'}`)
  if (name === '') throw new Error(`${where}: a webhook needs a name`)
  if (!webhook) throw new Error(`${where}: a webhook needs its settings, in webhook`)
  return webhookSetting(name, webhook, where)
}

function webhookSetting(name: string, given: GivenWebhook, where: string): WebhookAuthorizerConfiguration {
  const { connectionInfo, failurePolicy, subjectAccessReviewVersion: version } = given
  if (given.matchConditions?.length)
    throw new Error(
      `${where}: matchConditions are not supported yet; without them, the webhook would get every request`,
    )
  if (connectionInfo?.type !== 'KubeConfigFile' || !connectionInfo.kubeConfigFile)
    throw new Error(`${where}: connectionInfo must be of type KubeConfigFile and name a kubeConfigFile`)
  if (failurePolicy !== 'NoOpinion' && failurePolicy !== 'Deny')
    throw new Error(`${where}: failurePolicy must be NoOpinion or Deny`)
  if (version !== 'v1' && version !== 'v1beta1')
    throw new Error(`${where}: subjectAccessReviewVersion must be v1 or v1beta1`)
  return {
    type: 'Webhook',
    name,
    configFile: connectionInfo.kubeConfigFile,
    version,
    timeout: durationOf(given.timeout ?? '', `${where}: timeout`),
    authorizedTtl: durationOf(given.authorizedTTL ?? '5m', `${where}: authorizedTTL`),
    unauthorizedTtl: durationOf(given.unauthorizedTTL ?? '30s', `${where}: unauthorizedTTL`),
    onFailure: failurePolicy === 'Deny' ? 'deny' : 'no-opinion',
  }
}

function durationOf(text: string, where: string): number {
  try {
    return toMilliseconds(parseDuration(text))
  } catch (cause) {
    throw new Error(`${where} must be a length of time, such as 30s`, { cause })
  }
}
