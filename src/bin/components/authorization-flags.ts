import type { AuthorizationOptions } from '../../apiserver/authorization/chain.js'
import { duration, listFlag, optionalText, text } from '../../base/flags/flag-types.js'
import { type FlagValues, UsageError } from '../../base/flags/flags.js'

/** Upstream's flags for authorization. */
export const authorizationFlags = {
  'authorization-mode': listFlag('The authorizers, in order: Node, RBAC, ABAC, Webhook, AlwaysAllow, AlwaysDeny.', {
    placeholder: 'MODE,…',
    initial: ['Node', 'RBAC'],
  }),
  'authorization-policy-file': optionalText('The policy file of the ABAC authorizer, with one policy in each line.', {
    placeholder: 'FILE',
  }),
  'authorization-webhook-config-file': optionalText('The kubeconfig of the webhook of the Webhook authorizer.', {
    placeholder: 'FILE',
  }),
  'authorization-webhook-version': text(
    'The version of the SubjectAccessReview objects sent to that webhook: v1 or v1beta1.',
    { placeholder: 'VERSION', initial: 'v1beta1' },
  ),
  'authorization-webhook-cache-authorized-ttl': duration('How long allowed requests of that webhook are cached.', {
    initial: 300_000,
  }),
  'authorization-webhook-cache-unauthorized-ttl': duration('How long denied requests of that webhook are cached.', {
    initial: 30_000,
  }),
  'authorization-config': optionalText(
    'The file with the configuration of all authorizers. It replaces --authorization-mode.',
    { placeholder: 'FILE' },
  ),
}

export type AuthorizationFlags = FlagValues<typeof authorizationFlags>

export function authorizationOptions(flags: AuthorizationFlags): AuthorizationOptions {
  const policyFile = flags['authorization-policy-file']
  const configFile = flags['authorization-config']
  const webhook = webhookOf(flags)
  return {
    modes: flags['authorization-mode'],
    ...(policyFile !== undefined && { policyFile }),
    ...(configFile !== undefined && { configFile }),
    ...(webhook && { webhook }),
  }
}

function webhookOf(flags: AuthorizationFlags): AuthorizationOptions['webhook'] {
  const configFile = flags['authorization-webhook-config-file']
  const version = flags['authorization-webhook-version']
  if (version !== 'v1' && version !== 'v1beta1')
    throw new UsageError(`--authorization-webhook-version=${version} cannot be used: it must be v1 or v1beta1`)
  if (configFile === undefined) return undefined
  return {
    configFile,
    version,
    authorizedTtl: flags['authorization-webhook-cache-authorized-ttl'],
    unauthorizedTtl: flags['authorization-webhook-cache-unauthorized-ttl'],
  }
}
