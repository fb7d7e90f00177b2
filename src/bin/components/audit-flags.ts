import type { AuditOptions } from '../../apiserver/audit/create-auditor.js'
import { duration, integer, optionalText } from '../../base/flags/flag-types.js'
import type { FlagValues } from '../../base/flags/flags.js'

/** Upstream's flags for the audit log and the audit webhook. */
export const auditFlags = {
  'audit-policy-file': optionalText('The audit policy. Without it there is no audit log.', { placeholder: 'FILE' }),
  'audit-log-path': optionalText('The audit log file. - is standard output.', { placeholder: 'FILE' }),
  'audit-log-maxsize': integer('The size in megabytes at which the audit log is rotated. 0 is 100.', {
    placeholder: 'MB',
  }),
  'audit-log-maxbackup': integer('How many rotated audit logs are kept. 0 keeps all.', { placeholder: 'COUNT' }),
  'audit-log-maxage': integer('How many days rotated audit logs are kept. 0 keeps them for ever.', {
    placeholder: 'DAYS',
  }),
  'audit-webhook-config-file': optionalText('The kubeconfig of the webhook that audit events are sent to.', {
    placeholder: 'FILE',
  }),
  'audit-webhook-batch-max-size': integer('The most audit events in one request to the webhook.', {
    placeholder: 'COUNT',
    initial: 400,
    least: 1,
  }),
  'audit-webhook-batch-max-wait': duration('The longest time that an audit event waits for its batch to fill up.', {
    initial: 30_000,
  }),
  'audit-webhook-batch-buffer-size': integer('The most audit events that wait to be sent.', {
    placeholder: 'COUNT',
    initial: 10_000,
    least: 1,
  }),
}

export type AuditFlags = FlagValues<typeof auditFlags>

const megabyte = 1024 * 1024
const day = 24 * 3_600_000

/** Returns undefined if there is no audit policy: then nothing is audited. */
export function auditOptions(flags: AuditFlags): AuditOptions | undefined {
  const { 'audit-policy-file': policyFile, 'audit-log-path': path, 'audit-webhook-config-file': configFile } = flags
  if (policyFile === undefined) return undefined
  const log = path !== undefined && {
    path,
    maxSize: (flags['audit-log-maxsize'] || 100) * megabyte,
    maxBackups: flags['audit-log-maxbackup'],
    maxAge: flags['audit-log-maxage'] * day,
  }
  const webhook = configFile !== undefined && {
    configFile,
    maxSize: flags['audit-webhook-batch-max-size'],
    maxWait: flags['audit-webhook-batch-max-wait'],
    bufferSize: flags['audit-webhook-batch-buffer-size'],
  }
  return { policyFile, ...(log && { log }), ...(webhook && { webhook }) }
}
