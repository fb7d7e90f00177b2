import type { Environment } from '../../base/environment.js'
import { webhookClient } from '../outgoing/webhook-client.js'
import { loadWebhookConfig } from '../outgoing/webhook-config.js'
import { type AuditBackend, type Auditor, auditor } from './auditor.js'
import { AuditLogFile, type LogFileOptions } from './log-file.js'
import { loadAuditPolicy } from './policy.js'
import { compiledAuditPolicy } from './policy-rules.js'
import { type BatchOptions, WebhookBatches } from './webhook-batches.js'

/** There is no audit without a policy file and a log or webhook. */
export interface AuditOptions {
  readonly policyFile?: string
  readonly log?: LogFileOptions
  readonly webhook?: BatchOptions & {
    /** A kubeconfig. */
    readonly configFile: string
  }
}

/** Creates the auditor; undefined if auditing is off. Throws if a file is invalid. */
export async function createAuditor(options: AuditOptions, environment: Environment): Promise<Auditor | undefined> {
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
