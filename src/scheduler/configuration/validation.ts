import { isExtendedResource } from '../../api/core/v1/resource-requirements/resource-names.js'
import { DurationError, parseDuration, toMilliseconds } from '../../base/duration.js'
import * as field from '../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../schema/field-path.js'
import { labelKey } from '../../schema/label-names.js'
import type {
  ExtenderConfiguration,
  KubeSchedulerConfiguration,
  KubeSchedulerProfile,
  LeaderElectionConfiguration,
} from './declarations.js'
import { validatePlugins } from './plugin-validation.js'

type Errors = readonly field.FieldError[]

/** Defaults are set. */
export function validateConfiguration(configuration: KubeSchedulerConfiguration): Errors {
  const { clientConnection = {}, leaderElection = {}, parallelism = 0, extenders = [] } = configuration
  const { podInitialBackoffSeconds: initial = 0, podMaxBackoffSeconds: most = 0 } = configuration
  const { burst = 0 } = clientConnection
  const burstPath = fieldPath('clientConnection', 'burst')
  const maxPath = fieldPath('podMaxBackoffSeconds')
  return [
    ...unless(burst >= 0, burstPath, burst, 'must be non-negative'),
    ...validateElection(leaderElection, fieldPath('leaderElection')),
    ...unless(parallelism > 0, fieldPath('parallelism'), parallelism, 'should be an integer value greater than zero'),
    ...validateProfiles(configuration.profiles ?? [], fieldPath('profiles')),
    ...validateNodePercentage(configuration.percentageOfNodesToScore, fieldPath('percentageOfNodesToScore')),
    ...unless(initial > 0, fieldPath('podInitialBackoffSeconds'), initial, 'must be greater than 0'),
    ...unless(most >= initial, maxPath, most, 'must be greater than or equal to PodInitialBackoffSeconds'),
    ...validateExtenders(extenders, fieldPath('extenders')),
  ]
}

function unless(isValid: boolean, path: FieldPath, value: unknown, why: string): Errors {
  return isValid ? field.none : [field.invalid(path, value, why)]
}

export function validateNodePercentage(percentage: number | undefined, path: FieldPath): Errors {
  const isValid = percentage === undefined || (percentage >= 0 && percentage <= 100)
  return unless(isValid, path, percentage, 'not in valid range [0-100]')
}

/** Undefined if the text is not a duration. */
export function parseMilliseconds(text: string): number | undefined {
  try {
    return toMilliseconds(parseDuration(text))
  } catch (error) {
    if (error instanceof DurationError) return undefined
    throw error
  }
}

const durations = ['leaseDuration', 'renewDeadline', 'retryPeriod'] as const
const names = ['resourceLock', 'resourceName', 'resourceNamespace'] as const

function validateElection(election: LeaderElectionConfiguration, path: FieldPath): Errors {
  if (!election.leaderElect) return field.none
  const { resourceLock } = election
  const [lease, renew] = [
    parseMilliseconds(election.leaseDuration ?? ''),
    parseMilliseconds(election.renewDeadline ?? ''),
  ]
  const durationErrors = durations.flatMap((name) => {
    const milliseconds = parseMilliseconds(election[name] ?? '')
    if (milliseconds === undefined) return [field.invalid(path.child(name), election[name], 'must be a duration')]
    return unless(milliseconds > 0, path.child(name), election[name], 'must be greater than zero')
  })
  const isLeaseTooShort = durationErrors.length === 0 && lease! < renew!
  const leasePath = path.child('leaseDuration')
  return [
    ...durationErrors,
    ...unless(!isLeaseTooShort, leasePath, election.leaseDuration, 'LeaseDuration must be greater than RenewDeadline'),
    ...names.flatMap((name) => (election[name] ? [] : [field.required(path.child(name), `${name} is required`)])),
    ...unless(
      resourceLock === 'leases',
      path.child('resourceLock'),
      resourceLock,
      'resourceLock value must be "leases"',
    ),
  ]
}

function validateProfiles(profiles: readonly KubeSchedulerProfile[], path: FieldPath): Errors {
  if (profiles.length === 0) return [field.required(path)]
  const seen = new Map<string, number>()
  return profiles.flatMap((profile, i) => {
    const at = path.index(i)
    const { schedulerName = '' } = profile
    const earlier = seen.get(schedulerName)
    seen.set(schedulerName, i)
    return [
      ...(schedulerName === '' ? [field.required(at.child('schedulerName'))] : []),
      ...validateNodePercentage(profile.percentageOfNodesToScore, at.child('percentageOfNodesToScore')),
      ...validatePlugins(profile, at),
      ...(earlier === undefined
        ? []
        : [field.duplicate(at.child('schedulerName'), `${path.index(earlier).child('schedulerName')}`)]),
    ]
  })
}

/** @param path of the list */
export function validateExtenders(extenders: readonly ExtenderConfiguration[], path: FieldPath): Errors {
  const managed = new Set<string>()
  const binders = extenders.filter(({ bindVerb }) => bindVerb).length
  const tooMany = `found ${binders} extenders implementing bind`
  return [
    ...extenders.flatMap((extender, i) => validateExtender(extender, path.index(i), managed)),
    ...unless(binders <= 1, path, tooMany, 'only one extender can implement bind'),
  ]
}

function validateExtender(extender: ExtenderConfiguration, path: FieldPath, managed: Set<string>): Errors {
  const { prioritizeVerb, weight = 0, managedResources = [], urlPrefix = '', httpTimeout } = extender
  const timeoutPath = path.child('httpTimeout')
  const isTimeout = httpTimeout === undefined || parseMilliseconds(httpTimeout) !== undefined
  return [
    ...unless(!prioritizeVerb || weight > 0, path.child('weight'), weight, 'must have a positive weight applied to it'),
    ...unless(URL.canParse(urlPrefix), path.child('urlPrefix'), urlPrefix, 'must be a URL'),
    ...unless(isTimeout, timeoutPath, httpTimeout, 'must be a duration'),
    ...managedResources.flatMap(({ name }, k) => {
      const at = path.child('managedResources').index(k).child('name')
      const isKnown = managed.has(name)
      managed.add(name)
      return [...resourceErrors(name, at), ...unless(!isKnown, at, name, 'duplicate extender managed resource name')]
    }),
  ]
}

function resourceErrors(name: string, path: FieldPath): Errors {
  const messages = labelKey(name)
  if (messages.length > 0) return field.invalidForEach(path, name, messages)
  return unless(isExtendedResource(name), path, name, 'is an invalid extended resource name')
}
