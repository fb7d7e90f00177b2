/** Features that can be turned on or off for a whole cluster: `--feature-gates=Initializers=true`. */
interface FeatureGate {
  readonly stage: 'ALPHA' | 'BETA'
  /** Unless somebody says otherwise. */
  readonly isOn: boolean
}

export const knownGates = {
  /** Objects that wait for others to complete them before anybody sees them; gone from upstream since v1.16. */
  Initializers: { stage: 'ALPHA', isOn: false },
} as const satisfies Readonly<Record<string, FeatureGate>>

export type GateName = keyof typeof knownGates

/** Names that stand for all features of a stage. A feature's own name counts more. */
const stages: ReadonlyMap<string, FeatureGate['stage']> = new Map([
  ['AllAlpha', 'ALPHA'],
  ['AllBeta', 'BETA'],
])

/** Somebody asks for a feature that there is not. */
export class UnknownGateError extends Error {
  override readonly name = 'UnknownGateError'

  constructor(gate: string) {
    super(`unrecognized feature gate: ${gate}`)
  }
}

/** The features that are on, given what somebody says about some of them. Throws `UnknownGateError`. */
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

/** Every name that may be given, as the list of flags shows it. */
export function describeGates(): string {
  const gates = Object.entries(knownGates).map(([name, { stage, isOn }]) => `${name} (${stage}, default ${isOn})`)
  return [...stages.keys(), ...gates].join(', ')
}
