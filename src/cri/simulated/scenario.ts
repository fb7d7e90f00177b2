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
import { readListOf, readMapOf, readObjectOf, readText, ScenarioError } from './scenario-values.js'

/** Annotation of a pod: `simulation.proa.dev/NAME` is the behaviour of container NAME, `simulation.proa.dev` that of the sandbox. */
export const simulationAnnotation = 'simulation.proa.dev'

/** Selects pods and containers. All given fields must match; `*` matches any text. */
const readSelector = readObjectOf({
  namespace: readText,
  pod: readText,
  container: readText,
  image: readText,
  labels: readMapOf(readText),
})

const readScenario = readObjectOf({
  /** The first matching rule applies. */
  containers: readListOf(readObjectOf({ for: readSelector, does: readContainers })),
  sandboxes: readListOf(readObjectOf({ for: readSelector, does: readSandbox })),
  images: readListOf(readObjectOf({ name: readText, does: readImage })),
  /** Images that are present at the start. */
  present: readListOf(readText),
})

export type ScenarioFile = ReturnType<typeof readScenario>
type RuleSelector = ReturnType<typeof readSelector>

/** The behaviours of a simulation, from a scenario file and from annotations of pods. Annotations take precedence. */
export class SimulationScenario {
  readonly #rules: ScenarioFile

  constructor(rules: ScenarioFile = {}) {
    this.#rules = rules
  }

  /** Reads YAML or JSON. Rejects with a `ScenarioError` that names the path of an invalid value. */
  static async read(file: string): Promise<SimulationScenario> {
    const { value } = await parseYaml(await readFile(file, 'utf8'))
    return new SimulationScenario(readScenario(value ?? {}, file))
  }

  get present(): readonly string[] {
    return this.#rules.present ?? []
  }

  async container(sandbox: PodSandboxConfig, config: ContainerConfig): Promise<ContainerBehaviour> {
    const { name = '', attempt = 0 } = config.metadata ?? {}
    const key = `${simulationAnnotation}/${name}`
    const annotation = config.annotations[key] ?? sandbox.annotations[key]
    const subject = { ...podNames(sandbox), container: name, image: config.image?.image ?? '' }
    const rule = this.#rules.containers?.find(({ for: pattern = {} }) =>
      matchesSelector(pattern, subject, sandbox.labels),
    )
    const attempts = annotation === undefined ? rule?.does : readContainers(await parseAnnotation(key, annotation), key)
    return attempts?.[Math.min(attempt, attempts.length - 1)] ?? {}
  }

  async sandbox(config: PodSandboxConfig): Promise<SandboxBehaviour> {
    const annotation = config.annotations[simulationAnnotation]
    if (annotation !== undefined)
      return readSandbox(await parseAnnotation(simulationAnnotation, annotation), simulationAnnotation)
    const subject = { ...podNames(config), container: '', image: '' }
    return (
      this.#rules.sandboxes?.find(({ for: pattern = {} }) => matchesSelector(pattern, subject, config.labels))?.does ??
      {}
    )
  }

  image(fullName: string): ImageBehaviour {
    return this.#rules.images?.find(({ name = '*' }) => matchesWildcard(name, fullName))?.does ?? {}
  }
}

async function parseAnnotation(key: string, annotation: string): Promise<unknown> {
  try {
    return (await parseYaml(annotation)).value
  } catch (error) {
    throw new ScenarioError(`${key}: ${(error as Error).message}`)
  }
}

type SelectorSubject = Readonly<Record<'namespace' | 'pod' | 'container' | 'image', string>>

function podNames({ metadata }: PodSandboxConfig): { readonly namespace: string; readonly pod: string } {
  return { namespace: metadata?.namespace ?? '', pod: metadata?.name ?? '' }
}

function matchesSelector(
  { labels = {}, ...patterns }: RuleSelector,
  subject: SelectorSubject,
  podLabels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(labels).every(([key, value]) => podLabels[key] === value) &&
    Object.entries(patterns).every(([noun, pattern]) =>
      matchesWildcard(pattern, subject[noun as keyof SelectorSubject]),
    )
  )
}

/** `*` matches any text, also the empty one. */
export function matchesWildcard(pattern: string, value: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(value)
}
