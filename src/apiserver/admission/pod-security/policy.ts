import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { baselineChecks } from './baseline-checks.js'
import type { Check, CheckedPod, CheckPod, Violation } from './check.js'
import { restrictedChecks } from './restricted-checks.js'

const levels = ['privileged', 'baseline', 'restricted'] as const
export type Level = (typeof levels)[number]

/** How strict, and by the rules of which minor version; undefined is the latest. */
export interface LevelVersion {
  readonly level: Level
  readonly minor: number | undefined
}

/** What a namespace asks of its pods: to be refused otherwise, to be noted, to be warned about. */
export interface Policy {
  readonly enforce: LevelVersion
  readonly audit: LevelVersion
  readonly warn: LevelVersion
}

const privileged: LevelVersion = { level: 'privileged', minor: undefined }
const unlimited: Policy = { enforce: privileged, audit: privileged, warn: privileged }

/** What policies are that ask nothing. */
export function isUnlimited({ enforce, audit, warn }: Policy): boolean {
  return enforce.level === 'privileged' && audit.level === 'privileged' && warn.level === 'privileged'
}

export interface ReadPolicy {
  readonly policy: Policy
  readonly errors: readonly FieldError[]
}

const prefix = 'pod-security.kubernetes.io/'

type Labels = Readonly<Record<string, string>>

/** Reads a namespace's labels. What cannot be read is as strict as can be where it would refuse, and nothing where it would tell. */
export function readPolicy(labels: Labels = {}): ReadPolicy {
  if (!Object.keys(labels).some((label) => label.startsWith(prefix))) return { policy: unlimited, errors: field.none }
  const errors: FieldError[] = []
  const read = (mode: keyof Policy, otherwise: Level): LevelVersion => ({
    level: readLevel(labels, mode, otherwise, errors),
    minor: readVersion(labels, mode, errors),
  })
  const enforce = read('enforce', 'restricted')
  const audit = read('audit', 'privileged')
  const warn = read('warn', 'privileged')
  return { policy: { enforce, audit, warn: warningLevel(labels, enforce, warn) }, errors }
}

function readLevel(labels: Labels, mode: keyof Policy, otherwise: Level, errors: FieldError[]): Level {
  const label = prefix + mode
  const given = labels[label]
  if (given === undefined) return 'privileged'
  const level = levels.find((known) => known === given)
  if (!level) errors.push(field.invalid(labelPath(label), given, `must be one of ${levels.join(', ')}`))
  return level ?? otherwise
}

function readVersion(labels: Labels, mode: keyof Policy, errors: FieldError[]): number | undefined {
  const label = `${prefix}${mode}-version`
  const given = labels[label]
  if (given === undefined || given === 'latest') return undefined
  const minor = /^v1\.(0|[1-9][0-9]*)$/.exec(given)?.[1]
  if (minor === undefined) errors.push(field.invalid(labelPath(label), given, 'must be "latest" or "v1.x"'))
  return minor === undefined ? undefined : Number(minor)
}

function labelPath(label: string) {
  return fieldPath('metadata', 'labels').key(label)
}

/** Who enforces a level is warned about it, too, unless it says otherwise: workloads are never refused, only their pods. */
function warningLevel(labels: Labels, enforce: LevelVersion, warn: LevelVersion): LevelVersion {
  const given = labels[`${prefix}enforce`]
  const isReadable = levels.some((known) => known === given)
  if (labels[`${prefix}warn`] !== undefined || !isReadable || enforce.level === 'privileged') return warn
  return { level: enforce.level, minor: labels[`${prefix}warn-version`] === undefined ? enforce.minor : warn.minor }
}

export function isSameLevel(left: LevelVersion, right: LevelVersion): boolean {
  return left.level === right.level && left.minor === right.minor
}

/** Whether a namespace's pods need to be looked at again when one replaces the other. */
export function isStricter(next: LevelVersion, before: LevelVersion): boolean {
  if (isSameLevel(next, before) || next.level === 'privileged') return false
  return next.minor !== before.minor || levels.indexOf(next.level) > levels.indexOf(before.level)
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

function checksOf(level: Level, minor: number): readonly CheckPod[] {
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

function inForce(checks: readonly Check[], minor: number): readonly CheckPod[] {
  return checks.flatMap(({ since }) => since.filter(([from]) => from <= minor).slice(-1)).map(([, check]) => check)
}

/** `host namespaces (hostPID=true), privileged (…)`. */
export function detailText(found: readonly Violation[]): string {
  return found.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ')
}

export function reasonText(found: readonly Violation[]): string {
  return found.map(({ reason }) => reason).join(', ')
}
