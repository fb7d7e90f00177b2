import type { Environment } from '../../base/environment.js'
import { webhookClient } from '../outgoing/webhook-client.js'
import { loadWebhookConfig } from '../outgoing/webhook-config.js'
import type { ResourceMap } from '../registry/resource-map.js'
import { AbacAuthorizer } from './abac/abac-authorizer.js'
import { loadAbacPolicies } from './abac/policies.js'
import type { Authorizer } from './authorizer.js'
import {
  type AuthorizerConfiguration,
  loadAuthorizationConfiguration,
  type WebhookAuthorizerConfiguration,
} from './configuration.js'
import { alwaysAllowAuthorizer, alwaysDenyAuthorizer, privilegedGroupAuthorizer } from './fixed-authorizers.js'
import { NodeAuthorizer } from './node/node-authorizer.js'
import type { RbacAuthorizer } from './rbac/rbac-authorizer.js'
import { WebhookAuthorizer } from './webhook/webhook-authorizer.js'

/** The authorization flags. */
export interface AuthorizationOptions {
  /** By name, in the order in which they run. */
  readonly modes: readonly string[]
  /** For the mode ABAC. */
  readonly policyFile?: string
  /** For the mode Webhook. */
  readonly webhook?: Pick<
    WebhookAuthorizerConfiguration,
    'configFile' | 'version' | 'authorizedTtl' | 'unauthorizedTtl'
  >
  /** The file of `--authorization-config`, which replaces all other flags. */
  readonly configFile?: string
}

/** Creates the authorizers. */
export type AuthorizerChain = (resources: ResourceMap, rbac: RbacAuthorizer) => readonly Authorizer[]

type Maker = (resources: ResourceMap, rbac: RbacAuthorizer) => Authorizer

/** Reads the configuration of the authorizers, which run in this order after that of the privileged group. Throws if it is invalid. */
export async function authorizerChain(
  options: AuthorizationOptions,
  environment: Environment,
): Promise<AuthorizerChain> {
  const settings = options.configFile ? await loadAuthorizationConfiguration(options.configFile) : settingsOf(options)
  checkDistinct(settings)
  const makers: Maker[] = []
  for (const setting of settings) makers.push(await makerOf(setting, environment))
  return (resources, rbac) => [privilegedGroupAuthorizer, ...makers.map((make) => make(resources, rbac))]
}

async function makerOf(setting: AuthorizerConfiguration, environment: Environment): Promise<Maker> {
  switch (setting.type) {
    case 'AlwaysAllow':
      return () => alwaysAllowAuthorizer
    case 'AlwaysDeny':
      return () => alwaysDenyAuthorizer
    case 'Node':
      return (resources) => new NodeAuthorizer(resources)
    case 'RBAC':
      return (_, rbac) => rbac
    case 'ABAC': {
      const authorizer = new AbacAuthorizer(loadAbacPolicies(setting.policyFile))
      return () => authorizer
    }
    case 'Webhook': {
      const client = webhookClient(await loadWebhookConfig(setting.configFile), environment, setting.timeout)
      const authorizer = new WebhookAuthorizer({ ...setting, client, clock: environment.clock })
      return () => authorizer
    }
  }
}

const modes = ['Node', 'RBAC', 'ABAC', 'Webhook', 'AlwaysAllow', 'AlwaysDeny'] as const

/** Throws if a mode does not exist, or is named twice. */
export function checkModes(names: readonly string[]): void {
  checkDistinct(names.map((name) => ({ type: modeNamed(name), name }) as AuthorizerConfiguration))
}

function modeNamed(name: string): (typeof modes)[number] {
  const type = modes.find((mode) => mode === name)
  if (!type) throw new Error(`there is no authorization mode ${name}; those that exist are ${modes.join(', ')}`)
  return type
}

/** Only webhooks may occur several times. */
function checkDistinct(settings: readonly AuthorizerConfiguration[]): void {
  const names = settings.map((setting) => (setting.type === 'Webhook' ? `Webhook ${setting.name}` : setting.type))
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw new Error(`the authorization mode ${repeated} is named more than once`)
}

function settingsOf(options: AuthorizationOptions): readonly AuthorizerConfiguration[] {
  return options.modes.map((name) => {
    const type = modeNamed(name)
    if (type === 'ABAC') return { type, policyFile: policyFileOf(options) }
    return type === 'Webhook' ? webhookOf(options) : { type }
  })
}

function policyFileOf({ policyFile }: AuthorizationOptions): string {
  if (policyFile === undefined) throw new Error('the authorization mode ABAC needs --authorization-policy-file')
  return policyFile
}

/** With flags, a failed webhook has no opinion. */
function webhookOf({ webhook }: AuthorizationOptions): WebhookAuthorizerConfiguration {
  if (!webhook) throw new Error('the authorization mode Webhook needs --authorization-webhook-config-file')
  return { type: 'Webhook', name: 'Webhook', onFailure: 'no-opinion', ...webhook }
}
