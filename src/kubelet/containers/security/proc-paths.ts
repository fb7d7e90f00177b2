import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcMountType } from '../../../api/core/v1/security-context.js'

export interface ProcPaths {
  /** Paths that a container cannot see. */
  readonly maskedPaths: readonly string[]
  /** Paths that a container cannot change. */
  readonly readonlyPaths: readonly string[]
}

const masked = [
  '/proc/asound',
  '/proc/acpi',
  '/proc/interrupts',
  '/proc/kcore',
  '/proc/keys',
  '/proc/latency_stats',
  '/proc/timer_list',
  '/proc/timer_stats',
  '/proc/sched_debug',
  '/proc/scsi',
  '/sys/firmware',
  '/sys/devices/virtual/powercap',
] as const

const readonlyPaths = ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'] as const

/** Returns files that reveal the load of other containers by CPU temperature. */
export function thermalPaths(folder = '/sys/devices/system/cpu'): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => join(folder, name, 'thermal_throttle'))
    .filter((path) => existsSync(path))
}

export function procPaths(mount: ProcMountType | undefined, thermal: readonly string[]): ProcPaths {
  if (mount === 'Unmasked') return { maskedPaths: [], readonlyPaths: [] }
  return { maskedPaths: [...masked, ...thermal], readonlyPaths }
}
