import type { AuditOptions } from '../apiserver/audit/prepare.js'
import { duration, integer, optionalText } from '../base/flags/flag-types.js'
import type { FlagValues } from '../base/flags/flags.js'

/** Upstream's names for what is written down about requests. */
export const auditFlags = {
  'audit-policy-file': optionalText('Of which requests how much is written down; nothing without it.', 'FILE'),
  'audit-log-path': optionalText('Where it is written to; - for standard output.', 'FILE'),
  'audit-log-maxsize': integer('Megabytes after which a file is put aside; 0 for 100.', 'MB', { standard: 0 }),
  'audit-log-maxbackup': integer('How many of those are kept; 0 for all.', 'COUNT', { standard: 0 }),
  'audit-log-maxage': integer('How many days they are kept; 0 for ever.', 'DAYS', { standard: 0 }),
  'audit-webhook-config-file': optionalText('Send it to the webhook of this kubeconfig.', 'FILE'),
  'audit-webhook-batch-max-size': integer('How many events are sent at once.', 'COUNT', { standard: 400, least: 1 }),
  'audit-webhook-batch-max-wait': duration('How long an event may wait for others.', 30_000),
  'audit-webhook-batch-buffer-size': integer('How many events may wait in all.', 'COUNT', {
    standard: 10_000,
    least: 1,
  }),
}

export type AuditFlags = FlagValues<typeof auditFlags>

const megabyte = 1024 * 1024
const day = 24 * 3_600_000

/** Undefined where nothing is to be written down. */
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
