/** What derives from the definitions of all controllers: the flags of the controller manager, and the roles that the API server creates. */
import type { ControllerRole } from '../api/rbac/rule-text.js'
import { listFlag } from '../base/flags/flag-types.js'
import type { FlagTable, FlagValues } from '../base/flags/flags.js'
import type { ControllerDefinition } from './definition.js'
import { definitions } from './definitions.js'
import { missingControllerRoles } from './missing-controllers.js'

export { definitions } from './definitions.js'

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

const selectionFlags = {
  controllers: listFlag(
    'The controllers to run: * for those that are on by default, NAME and -NAME for more and fewer.',
    {
      placeholder: 'NAME,…',
      initial: ['*'],
    },
  ),
}

/** The flags of all controllers, and `--controllers`. */
export const controllerFlags = { ...selectionFlags, ...flagsOf(definitions) } as typeof selectionFlags &
  Intersection<(typeof definitions)[number]['flags']>

export type ControllerFlags = FlagValues<typeof controllerFlags>

export function flagsOf(all: readonly ControllerDefinition[]): FlagTable {
  return Object.assign({}, ...all.map(({ flags }) => flags))
}

/** The values of a controller's own flags; a flag that is not given has its default. */
export function flagValuesOf<Flags extends FlagTable>(
  { flags }: ControllerDefinition<Flags>,
  given: Readonly<Record<string, unknown>>,
): FlagValues<Flags> {
  const values = Object.entries(flags).map(([name, flag]) => [name, given[name] ?? flag.read([])])
  return Object.fromEntries(values) as FlagValues<Flags>
}

/** The roles of all controllers, also of upstream's that are missing here, in the order of their names. */
export const controllerRoles = rolesOf(definitions, missingControllerRoles)

export function rolesOf(
  all: readonly ControllerDefinition[],
  missing: readonly ControllerRole[] = [],
): readonly ControllerRole[] {
  const roles = new Map(missing.map((role) => [role.serviceAccount, role]))
  for (const { serviceAccount, rules, namespacedRules } of all)
    if (serviceAccount !== undefined)
      roles.set(serviceAccount, {
        serviceAccount,
        ...(rules && { rules }),
        ...(namespacedRules && { namespacedRules }),
      })
  return [...roles.values()].sort((one, other) => (one.serviceAccount < other.serviceAccount ? -1 : 1))
}

/** The controllers that `--controllers` selects. A name counts for more than `*`, and `-name` for more than `name`. */
export function selectedControllers(
  all: readonly ControllerDefinition[],
  names: readonly string[],
): readonly ControllerDefinition[] {
  const unknown = names.map((name) => name.replace(/^-/, '')).find((name) => name !== '*' && !all.some(isNamed(name)))
  if (unknown !== undefined) throw new Error(`"${unknown}" is not in the list of known controllers`)
  const isOn = (definition: ControllerDefinition) => {
    if (names.some((name) => isNamed(name)(definition))) return true
    if (names.some((name) => name.startsWith('-') && isNamed(name.slice(1))(definition))) return false
    return names.includes('*') && !definition.isOffByDefault
  }
  return all.filter(isOn)
}

function isNamed(given: string) {
  return ({ name, alias }: ControllerDefinition) => given === name || given === alias
}
