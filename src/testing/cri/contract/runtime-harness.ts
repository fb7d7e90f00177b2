import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContainerConfig, CriContainerStatus } from '../../../cri/interface/container.js'
import type { PartialMessage } from '../../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../../cri/interface/sandbox-config.js'
import type { ContainerRuntime } from '../../../cri/interface/services.js'
import type { ContainerBehaviour } from '../../../cri/simulated/behaviour.js'
import { simulationAnnotation } from '../../../cri/simulated/scenario.js'
import type { RuntimeUnderTest } from './runtime-under-test.js'

/** The same thing twice: as a command of a small Linux, and as what a simulated container does. */
export interface ContainerProgram {
  readonly command: readonly string[]
  readonly behaviour: Written<ContainerBehaviour>
}

/** Lengths of time and quantities as they are written. */
type Written<T> = { readonly [K in keyof T]: T[K] extends number | undefined ? number | string : unknown }

export const shellProgram = (script: string, behaviour: ContainerProgram['behaviour']): ContainerProgram => ({
  command: ['sh', '-c', script],
  behaviour,
})

/** Runs until it is killed: the first process of a namespace takes no signal that it has no handler for. */
export const sleepProgram = shellProgram('exec sleep 3600', { stop: 'ignore' })

export interface ContainerLogLine {
  readonly time: string
  readonly stream: string
  readonly tag: string
  readonly text: string
}

/** As the kubelet asks for it, unless a pod shares its processes: each container has its own. */
const ownProcesses = { namespaceOptions: { pid: 'CONTAINER' } } as const

let pods = 0

/** One test with a runtime: what it makes is gone when it ends. */
export class RuntimeHarness {
  readonly underTest: RuntimeUnderTest

  constructor(underTest: RuntimeUnderTest) {
    this.underTest = underTest
  }

  get runtime(): ContainerRuntime {
    return this.underTest.runtime
  }

  sandboxConfig(parts: PartialMessage<PodSandboxConfig> = {}): PartialMessage<PodSandboxConfig> {
    const name = `pod-${pods++}`
    const logDirectory = join(this.underTest.folder, 'logs', name)
    mkdirSync(logDirectory, { recursive: true })
    return {
      metadata: { name, uid: `${name}-uid`, namespace: 'default', attempt: 0 },
      hostname: name,
      logDirectory,
      labels: { app: name },
      ...parts,
      linux: { cgroupParent: `${this.underTest.cgroupParent}/${name}`, securityContext: ownProcesses, ...parts.linux },
    }
  }

  async sandbox(parts: PartialMessage<PodSandboxConfig> = {}): Promise<RunningSandbox> {
    const config = this.sandboxConfig(parts)
    const { podSandboxId } = await this.runtime.runPodSandbox({ config })
    return new RunningSandbox(this, podSandboxId, config)
  }

  async status(containerId: string): Promise<CriContainerStatus> {
    const { status } = await this.runtime.containerStatus({ containerId })
    assert.ok(status)
    return status
  }

  /** Resolves when the container has ended. */
  async ended(containerId: string): Promise<CriContainerStatus> {
    return this.until(async () => {
      const status = await this.status(containerId)
      return status.state === 'CONTAINER_EXITED' ? status : undefined
    })
  }

  /** Resolves with what `find` finds. */
  async until<Found>(find: () => Promise<Found | undefined>): Promise<Found> {
    for (let tries = 0; tries < 1500; tries++) {
      const found = await find()
      if (found !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('it does not come to pass')
  }

  /** Everything goes, whatever state it is in. */
  async clear(): Promise<void> {
    const { items } = await this.runtime.listPodSandbox({})
    await Promise.all(
      items.map(async ({ id }) => {
        await this.runtime.stopPodSandbox({ podSandboxId: id })
        await this.runtime.removePodSandbox({ podSandboxId: id })
      }),
    )
    assert.deepEqual((await this.runtime.listContainers({})).containers, [])
  }
}

export class RunningSandbox {
  readonly id: string
  readonly config: PartialMessage<PodSandboxConfig>
  readonly #harness: RuntimeHarness

  constructor(harness: RuntimeHarness, id: string, config: PartialMessage<PodSandboxConfig>) {
    this.#harness = harness
    this.id = id
    this.config = config
  }

  /** Gives the id of a container that is not started. */
  async create(name: string, program: ContainerProgram, parts: PartialMessage<ContainerConfig> = {}): Promise<string> {
    const behaviour = { [`${simulationAnnotation}/${name}`]: JSON.stringify(program.behaviour) }
    const config: PartialMessage<ContainerConfig> = {
      metadata: { name, attempt: 0 },
      image: { image: this.#harness.underTest.image },
      command: program.command,
      logPath: `${name}.log`,
      labels: { name },
      ...parts,
      linux: { securityContext: ownProcesses, ...parts.linux },
      annotations: { ...behaviour, ...parts.annotations },
    }
    const { containerId } = await this.#harness.runtime.createContainer({
      podSandboxId: this.id,
      config,
      sandboxConfig: this.config,
    })
    return containerId
  }

  /** Gives the id of a container that was started. */
  async start(name: string, program: ContainerProgram, parts: PartialMessage<ContainerConfig> = {}): Promise<string> {
    const containerId = await this.create(name, program, parts)
    await this.#harness.runtime.startContainer({ containerId })
    return containerId
  }

  log(name: string): ContainerLogLine[] {
    const text = readFileSync(join(this.config.logDirectory!, `${name}.log`), 'utf8')
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [time = '', stream = '', tag = '', ...words] = line.split(' ')
        return { time, stream, tag, text: words.join(' ') }
      })
  }
}
