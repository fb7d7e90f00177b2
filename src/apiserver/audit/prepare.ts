import type { Environment } from '../../base/environment.js'
import { webhookClient } from '../outgoing/webhook-client.js'
import { loadWebhookConfig } from '../outgoing/webhook-config.js'
import { type AuditBackend, type Auditor, auditor } from './auditor.js'
import { AuditLogFile, type LogFileOptions } from './log-file.js'
import { loadAuditPolicy } from './policy.js'
import { compiledAuditPolicy } from './policy-rules.js'
import { type BatchOptions, WebhookBatches } from './webhook-batches.js'

/** Without a policy, or anywhere to write to, there is no audit. */
export interface AuditOptions {
  readonly policyFile?: string
  readonly log?: LogFileOptions
  readonly webhook?: BatchOptions & {
    /** In the form of a kubeconfig. */
    readonly configFile: string
  }
}

/** Undefined where nothing is to be written down. Throws, in a sentence, where a file cannot be used. */
export async function prepareAuditor(options: AuditOptions, environment: Environment): Promise<Auditor | undefined> {
  const { policyFile, log, webhook } = options
  if (policyFile === undefined) return undefined
  const policy = await loadAuditPolicy(policyFile)
  const backends: AuditBackend[] = []
  if (log) backends.push(new AuditLogFile(log, environment))
  if (webhook) {
    const client = webhookClient(await loadWebhookConfig(webhook.configFile), environment)
    backends.push(new WebhookBatches(client, webhook, environment))
  }
  return backends.length === 0 ? undefined : auditor(compiledAuditPolicy(policy), backends, environment)
}
