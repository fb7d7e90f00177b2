/** A feature that can be turned on or off for a cluster: `--feature-gates=Initializers=true`. */
interface FeatureGate {
  readonly stage: 'ALPHA' | 'BETA'
  /** The default. */
  readonly isOn: boolean
}

export const knownGates = {
  /** New objects stay invisible until initializers have completed them. Removed from upstream in v1.16. */
  Initializers: { stage: 'ALPHA', isOn: false },
} as const satisfies Readonly<Record<string, FeatureGate>>

export type GateName = keyof typeof knownGates

/** Names for all features of a stage. A feature's own name has precedence. */
const stages: ReadonlyMap<string, FeatureGate['stage']> = new Map([
  ['AllAlpha', 'ALPHA'],
  ['AllBeta', 'BETA'],
])

/** A feature gate does not exist. */
export class UnknownGateError extends Error {
  override readonly name = 'UnknownGateError'

  constructor(gate: string) {
    super(`unrecognized feature gate: ${gate}`)
  }
}

/** The enabled features for the given settings. Throws `UnknownGateError`. */
export function openGates(given: Readonly<Record<string, boolean>>): ReadonlySet<GateName> {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(knownGates, name) && !stages.has(name)) throw new UnknownGateError(name)
  const open = new Set<GateName>()
  for (const [name, { stage, isOn }] of Object.entries(knownGates) as [GateName, FeatureGate][]) {
    const [all] = [...stages].find(([, meant]) => meant === stage)!
    if (given[name] ?? given[all] ?? isOn) open.add(name)
  }
  return open
}

/** Every name that may be given. */
export const gateNames: readonly string[] = [...stages.keys(), ...Object.keys(knownGates)]

/** The list of all feature gates in the help of the flag. */
export function describeGates(): string {
  const gates = Object.entries(knownGates).map(([name, { stage, isOn }]) => `${name} (${stage}, default ${isOn})`)
  return [...stages.keys(), ...gates].join(', ')
}
