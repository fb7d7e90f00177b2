import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { dnsLabel, dnsSubdomain } from '../../../schema/names.js'
import { kind, schema } from '../../../schema/schema.js'
import type { PluginConfigurationKind } from '../definition.js'
import { type PodSecurityPolicy, parseLevel, parseVersion, podSecurityLevels } from './policy.js'

const group = 'pod-security.admission.config.k8s.io/v1'

export const PodSecurityConfiguration = kind(`${group}.PodSecurityConfiguration`, {
  optional: {
    defaults: ref<PodSecurityDefaults>(1, `${group}.PodSecurityDefaults`, { always: true }),
    exemptions: ref<PodSecurityExemptions>(2, `${group}.PodSecurityExemptions`, { always: true }),
  },
})
export interface PodSecurityConfiguration extends Instance<typeof PodSecurityConfiguration> {}

/** The policy of namespaces without labels. */
const PodSecurityDefaults = schema(`${group}.PodSecurityDefaults`, {
  optional: {
    enforce: string(1, { default: 'privileged' }),
    'enforce-version': string(2, { default: 'latest' }),
    audit: string(3, { default: 'privileged' }),
    'audit-version': string(4, { default: 'latest' }),
    warn: string(5, { default: 'privileged' }),
    'warn-version': string(6, { default: 'latest' }),
  },
})
export interface PodSecurityDefaults extends Infer<typeof PodSecurityDefaults> {}

/** Users, namespaces and runtime classes that no policy applies to. */
const PodSecurityExemptions = schema(`${group}.PodSecurityExemptions`, {
  optional: { usernames: list(1, string), namespaces: list(2, string), runtimeClasses: list(3, string) },
})
export interface PodSecurityExemptions extends Infer<typeof PodSecurityExemptions> {}

const modes = ['enforce', 'audit', 'warn'] as const

function* validate({ defaults, exemptions }: PodSecurityConfiguration): Iterable<field.FieldError> {
  yield* validateDefaults(defaults, fieldPath('defaults'))
  yield* validateExemptions(exemptions, fieldPath('exemptions'))
}

function* validateDefaults(given: PodSecurityDefaults, path: FieldPath): Iterable<field.FieldError> {
  for (const mode of modes) {
    const { [mode]: level = '', [`${mode}-version` as const]: version = '' } = given
    if (!parseLevel(level))
      yield field.invalid(path.child(mode), level, `must be one of ${podSecurityLevels.join(', ')}`)
    if (!parseVersion(version))
      yield field.invalid(path.child(`${mode}-version`), version, 'must be "latest" or "v1.x"')
  }
}

function* validateExemptions(
  { namespaces = [], runtimeClasses = [], usernames = [] }: PodSecurityExemptions,
  path: FieldPath,
): Iterable<field.FieldError> {
  yield* validateNames(path.child('namespaces'), namespaces, dnsLabel)
  yield* validateNames(path.child('runtimeClasses'), runtimeClasses, dnsSubdomain)
  for (const [index, name] of usernames.entries()) {
    if (name === '') yield field.required(path.child('usernames').index(index))
    else if (usernames.indexOf(name) < index) yield field.duplicate(path.child('usernames').index(index), name)
  }
}

function* validateNames(path: FieldPath, given: readonly string[], problems: (name: string) => readonly string[]) {
  for (const [index, name] of given.entries()) {
    const found = problems(name)
    if (found.length > 0) yield field.invalid(path.index(index), name, found.join(', '))
    else if (given.indexOf(name) < index) yield field.duplicate(path.index(index), name)
  }
}

/** Returns the policy of namespaces without labels. */
export function defaultPolicy(defaults: PodSecurityDefaults): PodSecurityPolicy {
  const of = (mode: (typeof modes)[number]) => ({
    level: parseLevel(defaults[mode] ?? '')!,
    minor: parseVersion(defaults[`${mode}-version`] ?? '')!.minor,
  })
  return { enforce: of('enforce'), audit: of('audit'), warn: of('warn') }
}

export const podSecurityConfiguration: PluginConfigurationKind<PodSecurityConfiguration> = {
  kindNames: [
    `${group}/PodSecurityConfiguration`,
    `${group}beta1/PodSecurityConfiguration`,
    `${group}alpha1/PodSecurityConfiguration`,
  ],
  declarations: [PodSecurityConfiguration, PodSecurityDefaults, PodSecurityExemptions],
  validate,
}
