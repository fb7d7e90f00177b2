import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { baselineChecks } from './baseline-checks.js'
import type { CheckedPod, CheckPod, PodSecurityCheck, Violation } from './check.js'
import { restrictedChecks } from './restricted-checks.js'

/** From the least strict one. */
export const podSecurityLevels = ['privileged', 'baseline', 'restricted'] as const
export type PodSecurityLevel = (typeof podSecurityLevels)[number]

/** How strict, and by the rules of which minor version; undefined is the latest. */
export interface LevelVersion {
  readonly level: PodSecurityLevel
  readonly minor: number | undefined
}

/** What a namespace asks of its pods: to be refused otherwise, to be noted, to be warned about. */
export interface PodSecurityPolicy {
  readonly enforce: LevelVersion
  readonly audit: LevelVersion
  readonly warn: LevelVersion
}

const privileged: LevelVersion = { level: 'privileged', minor: undefined }
/** Asks nothing. */
export const unlimited: PodSecurityPolicy = { enforce: privileged, audit: privileged, warn: privileged }

/** What policies are that ask nothing. */
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
 * Reads a namespace's labels; what they do not say is as in `defaults`. What cannot be read is as strict as can be where it would
 * refuse, and nothing where it would tell.
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

/** Of `latest` the minor version is undefined; of what is no version, all of it is. */
export function parseVersion(given: string): { readonly minor: number | undefined } | undefined {
  if (given === 'latest') return { minor: undefined }
  const minor = /^v1\.(0|[1-9][0-9]*)$/.exec(given)?.[1]
  return minor === undefined ? undefined : { minor: Number(minor) }
}

function labelPath(label: string) {
  return fieldPath('metadata', 'labels').key(label)
}

/** Who enforces a level is warned about it, too, unless it says otherwise: workloads are never refused, only their pods. */
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

/** `enforce=baseline:latest, warn=restricted:v1.25`, without what asks nothing. */
export function policyText(policy: PodSecurityPolicy): string {
  const asking = modes.filter((mode) => policy[mode].level !== 'privileged')
  return asking.map((mode) => `${mode}=${levelText(policy[mode])}`).join(', ')
}

export function isSameLevel(left: LevelVersion, right: LevelVersion): boolean {
  return left.level === right.level && left.minor === right.minor
}

/** Whether a namespace's pods need to be looked at again when one replaces the other. */
export function isStricter(next: LevelVersion, before: LevelVersion): boolean {
  if (isSameLevel(next, before) || next.level === 'privileged') return false
  return next.minor !== before.minor || strictness(next) > strictness(before)
}

/** `baseline:latest`, `restricted:v1.25`. */
export function levelText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === undefined ? 'latest' : `v1.${minor}`}`
}

/** Everything that a pod does against a level. */
export function violations({ level, minor }: LevelVersion, pod: CheckedPod): readonly Violation[] {
  return checksOf(level, minor ?? Number.POSITIVE_INFINITY).flatMap((check) => check(pod) ?? [])
}

const compiled = new Map<string, readonly CheckPod[]>()

function checksOf(level: PodSecurityLevel, minor: number): readonly CheckPod[] {
  if (level === 'privileged') return []
  const key = `${level}:${minor}`
  let checks = compiled.get(key)
  if (!checks) {
    checks = level === 'baseline' ? inForce(baselineChecks, minor) : restrictedInForce(minor)
    compiled.set(key, checks)
  }
  return checks
}

function restrictedInForce(minor: number): readonly CheckPod[] {
  const inPlace = new Set(restrictedChecks.filter(({ since }) => since[0]![0] <= minor).map(({ id }) => id))
  const remaining = baselineChecks.filter(({ replacedBy }) => !replacedBy || !inPlace.has(replacedBy))
  return [...inForce(remaining, minor), ...inForce(restrictedChecks, minor)]
}

function inForce(checks: readonly PodSecurityCheck[], minor: number): readonly CheckPod[] {
  return checks.flatMap(({ since }) => since.filter(([from]) => from <= minor).slice(-1)).map(([, check]) => check)
}

/** `host namespaces (hostPID=true), privileged (…)`. */
export function detailText(found: readonly Violation[]): string {
  return found.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ')
}

export function reasonText(found: readonly Violation[]): string {
  return found.map(({ reason }) => reason).join(', ')
}
