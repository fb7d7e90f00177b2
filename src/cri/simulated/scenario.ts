import { readFile } from 'node:fs/promises'
import { parseYaml } from '../../wire/yaml.js'
import type { ContainerConfig } from '../interface/container.js'
import type { PodSandboxConfig } from '../interface/sandbox-config.js'
import {
  type ContainerBehaviour,
  type ImageBehaviour,
  readContainers,
  readImage,
  readSandbox,
  type SandboxBehaviour,
} from './behaviour.js'
import { listOf, mapOf, ScenarioError, shape, text } from './shape.js'

/** On a pod: `simulation.proa.dev/NAME` says what the container NAME does, `simulation.proa.dev` what the sandbox does. */
export const simulationAnnotation = 'simulation.proa.dev'

/** Which pods and containers a rule is for: all that have what is told. `*` stands for anything. */
const pattern = shape({ namespace: text, pod: text, container: text, image: text, labels: mapOf(text) })

const readScenario = shape({
  /** The first rule that fits. */
  containers: listOf(shape({ for: pattern, does: readContainers })),
  sandboxes: listOf(shape({ for: pattern, does: readSandbox })),
  images: listOf(shape({ name: text, does: readImage })),
  /** Images that are there from the beginning. */
  present: listOf(text),
})

export type ScenarioFile = ReturnType<typeof readScenario>
type Pattern = ReturnType<typeof pattern>

/** What happens in a simulation. A pod's annotations say it for that pod, a file says it for all; the pod has the last word. */
export class Scenario {
  readonly #rules: ScenarioFile

  constructor(rules: ScenarioFile = {}) {
    this.#rules = rules
  }

  /** Reads YAML or JSON. Rejects with a `ScenarioError` that says what is wrong, and where. */
  static async read(file: string): Promise<Scenario> {
    const { value } = await parseYaml(await readFile(file, 'utf8'))
    return new Scenario(readScenario(value ?? {}, file))
  }

  get present(): readonly string[] {
    return this.#rules.present ?? []
  }

  async container(sandbox: PodSandboxConfig, config: ContainerConfig): Promise<ContainerBehaviour> {
    const { name = '', attempt = 0 } = config.metadata ?? {}
    const key = `${simulationAnnotation}/${name}`
    const annotation = config.annotations[key] ?? sandbox.annotations[key]
    const nouns = { ...nounsOf(sandbox), container: name, image: config.image?.image ?? '' }
    const rule = this.#rules.containers?.find(({ for: pattern = {} }) => fits(pattern, nouns, sandbox.labels))
    const attempts = annotation === undefined ? rule?.does : readContainers(await parsed(key, annotation), key)
    return attempts?.[Math.min(attempt, attempts.length - 1)] ?? {}
  }

  async sandbox(config: PodSandboxConfig): Promise<SandboxBehaviour> {
    const annotation = config.annotations[simulationAnnotation]
    if (annotation !== undefined)
      return readSandbox(await parsed(simulationAnnotation, annotation), simulationAnnotation)
    const nouns = { ...nounsOf(config), container: '', image: '' }
    return this.#rules.sandboxes?.find(({ for: pattern = {} }) => fits(pattern, nouns, config.labels))?.does ?? {}
  }

  image(fullName: string): ImageBehaviour {
    return this.#rules.images?.find(({ name = '*' }) => matches(name, fullName))?.does ?? {}
  }
}

async function parsed(key: string, annotation: string): Promise<unknown> {
  try {
    return (await parseYaml(annotation)).value
  } catch (error) {
    throw new ScenarioError(`${key}: ${(error as Error).message}`)
  }
}

type Nouns = Readonly<Record<'namespace' | 'pod' | 'container' | 'image', string>>

function nounsOf({ metadata }: PodSandboxConfig): { readonly namespace: string; readonly pod: string } {
  return { namespace: metadata?.namespace ?? '', pod: metadata?.name ?? '' }
}

function fits({ labels = {}, ...patterns }: Pattern, nouns: Nouns, has: Readonly<Record<string, string>>): boolean {
  return (
    Object.entries(labels).every(([key, value]) => has[key] === value) &&
    Object.entries(patterns).every(([noun, pattern]) => matches(pattern, nouns[noun as keyof Nouns]))
  )
}

/** `*` stands for anything, nothing included. */
export function matches(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value)
}
