import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Violation } from './check.js'

/** The least strict level first. */
export const podSecurityLevels = ['privileged', 'baseline', 'restricted'] as const
export type PodSecurityLevel = (typeof podSecurityLevels)[number]

/** A level in one of its versions; undefined is the latest minor version. */
export interface LevelVersion {
  readonly level: PodSecurityLevel
  readonly minor: number | undefined
}

/** The levels of a namespace: violations of `enforce` are rejected, of `audit` recorded, of `warn` reported to the client. */
export interface PodSecurityPolicy {
  readonly enforce: LevelVersion
  readonly audit: LevelVersion
  readonly warn: LevelVersion
}

const privileged: LevelVersion = { level: 'privileged', minor: undefined }
/** Allows everything. */
export const unlimited: PodSecurityPolicy = { enforce: privileged, audit: privileged, warn: privileged }

/** Whether a policy allows everything. */
export function isUnlimited({ enforce, audit, warn }: PodSecurityPolicy): boolean {
  return enforce.level === 'privileged' && audit.level === 'privileged' && warn.level === 'privileged'
}

export interface ReadPolicy {
  readonly policy: PodSecurityPolicy
  readonly errors: readonly FieldError[]
}

const prefix = 'pod-security.kubernetes.io/'

type Labels = Readonly<Record<string, string>>

/**
 * Reads the policy from the labels of a namespace; missing labels have the values of `defaults`. An invalid level counts as `restricted` for
 * `enforce`, and as `privileged` for `audit` and `warn`.
 */
export function readNamespacePolicy(labels: Labels = {}, defaults: PodSecurityPolicy = unlimited): ReadPolicy {
  if (!Object.keys(labels).some((label) => label.startsWith(prefix))) return { policy: defaults, errors: field.none }
  const errors: FieldError[] = []
  const read = (mode: keyof PodSecurityPolicy, otherwise: PodSecurityLevel): LevelVersion => {
    const { level, minor } = defaults[mode]
    const given = labels[prefix + mode]
    const version = labels[`${prefix}${mode}-version`]
    return {
      level: given === undefined ? level : readLevel(given, prefix + mode, otherwise, errors),
      minor: version === undefined ? minor : readVersion(version, `${prefix}${mode}-version`, errors),
    }
  }
  const enforce = read('enforce', 'restricted')
  const audit = read('audit', 'privileged')
  const warn = read('warn', 'privileged')
  return { policy: { enforce, audit, warn: warningLevel(labels, enforce, warn) }, errors }
}

function readLevel(given: string, label: string, otherwise: PodSecurityLevel, errors: FieldError[]): PodSecurityLevel {
  const level = parseLevel(given)
  if (!level) errors.push(field.invalid(labelPath(label), given, `must be one of ${podSecurityLevels.join(', ')}`))
  return level ?? otherwise
}

function readVersion(given: string, label: string, errors: FieldError[]): number | undefined {
  const version = parseVersion(given)
  if (!version) errors.push(field.invalid(labelPath(label), given, 'must be "latest" or "v1.x"'))
  return version?.minor
}

export function parseLevel(given: string): PodSecurityLevel | undefined {
  return podSecurityLevels.find((known) => known === given)
}

/** Returns the minor version, undefined for `latest`; or undefined if it is not a version. */
export function parseVersion(given: string): { readonly minor: number | undefined } | undefined {
  if (given === 'latest') return { minor: undefined }
  const minor = /^v1\.(0|[1-9][0-9]*)$/.exec(given)?.[1]
  return minor === undefined ? undefined : { minor: Number(minor) }
}

function labelPath(label: string) {
  return fieldPath('metadata', 'labels').key(label)
}

/** The enforced level also warns, unless a label sets another: the server rejects pods only, never the workloads that create them. */
function warningLevel(labels: Labels, enforce: LevelVersion, warn: LevelVersion): LevelVersion {
  const isReadable = parseLevel(labels[`${prefix}enforce`] ?? '') !== undefined
  if (labels[`${prefix}warn`] !== undefined || !isReadable || strictness(enforce) <= strictness(warn)) return warn
  return { level: enforce.level, minor: labels[`${prefix}warn-version`] === undefined ? enforce.minor : warn.minor }
}

function strictness({ level }: LevelVersion): number {
  return podSecurityLevels.indexOf(level)
}

export function isSamePolicy(left: PodSecurityPolicy, right: PodSecurityPolicy): boolean {
  return modes.every((mode) => isSameLevel(left[mode], right[mode]))
}

const modes = ['enforce', 'audit', 'warn'] as const

/** Returns `enforce=baseline:latest, warn=restricted:v1.25`, without modes that allow everything. */
export function policyText(policy: PodSecurityPolicy): string {
  const limiting = modes.filter((mode) => policy[mode].level !== 'privileged')
  return limiting.map((mode) => `${mode}=${levelText(policy[mode])}`).join(', ')
}

export function isSameLevel(left: LevelVersion, right: LevelVersion): boolean {
  return left.level === right.level && left.minor === right.minor
}

/** Whether pods that met `before` may violate `next`. */
export function isStricter(next: LevelVersion, before: LevelVersion): boolean {
  if (isSameLevel(next, before) || next.level === 'privileged') return false
  return next.minor !== before.minor || strictness(next) > strictness(before)
}

/** `baseline:latest`, `restricted:v1.25`. */
export function levelText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === undefined ? 'latest' : `v1.${minor}`}`
}

/** `host namespaces (hostPID=true), privileged (…)`. */
export function detailText(found: readonly Violation[]): string {
  return found.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ')
}

export function reasonText(found: readonly Violation[]): string {
  return found.map(({ reason }) => reason).join(', ')
}
