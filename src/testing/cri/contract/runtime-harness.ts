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

/** A program for a container, as a shell command and as a behaviour of the simulated runtime. */
export interface ContainerProgram {
  readonly command: readonly string[]
  readonly behaviour: Written<ContainerBehaviour>
}

/** Durations and quantities as a scenario file has them. */
type Written<T> = { readonly [K in keyof T]: T[K] extends number | undefined ? number | string : unknown }

export const shellProgram = (script: string, behaviour: ContainerProgram['behaviour']): ContainerProgram => ({
  command: ['sh', '-c', script],
  behaviour,
})

/** Runs until it is killed: process 1 of a namespace ignores signals without a handler. */
export const sleepProgram = shellProgram('exec sleep 3600', { stop: 'ignore' })

export interface ParsedLogLine {
  readonly time: string
  readonly stream: string
  readonly tag: string
  readonly text: string
}

/** The kubelet's default: each container has its own process namespace. */
const ownProcesses = { namespaceOptions: { pid: 'CONTAINER' } } as const

let pods = 0

/** Creates sandboxes and containers for one test. `clear` removes them. */
export class RuntimeHarness {
  readonly underTest: RuntimeUnderTest

  constructor(underTest: RuntimeUnderTest) {
    this.underTest = underTest
  }

  get runtime(): ContainerRuntime {
    return this.underTest.runtime
  }

  sandboxConfig(overrides: PartialMessage<PodSandboxConfig> = {}): PartialMessage<PodSandboxConfig> {
    const name = `pod-${pods++}`
    const logDirectory = join(this.underTest.folder, 'logs', name)
    mkdirSync(logDirectory, { recursive: true })
    return {
      metadata: { name, uid: `${name}-uid`, namespace: 'default', attempt: 0 },
      hostname: name,
      logDirectory,
      labels: { app: name },
      ...overrides,
      linux: {
        cgroupParent: `${this.underTest.cgroupParent}/${name}`,
        securityContext: ownProcesses,
        ...overrides.linux,
      },
    }
  }

  async sandbox(overrides: PartialMessage<PodSandboxConfig> = {}): Promise<RunningSandbox> {
    const config = this.sandboxConfig(overrides)
    const { podSandboxId } = await this.runtime.runPodSandbox({ config })
    return new RunningSandbox(this, podSandboxId, config)
  }

  async status(containerId: string): Promise<CriContainerStatus> {
    const { status } = await this.runtime.containerStatus({ containerId })
    assert.ok(status)
    return status
  }

  /** Resolves when the container has exited. */
  async ended(containerId: string): Promise<CriContainerStatus> {
    return this.until(async () => {
      const status = await this.status(containerId)
      return status.state === 'CONTAINER_EXITED' ? status : undefined
    })
  }

  /** Polls `find` until it returns a value. */
  async until<Found>(find: () => Promise<Found | undefined>): Promise<Found> {
    for (let tries = 0; tries < 1500; tries++) {
      const found = await find()
      if (found !== undefined) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('the condition did not become true in time')
  }

  /** Removes all sandboxes and containers, in any state. */
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

  /** Creates a container without starting it. Returns its id. */
  async create(
    name: string,
    program: ContainerProgram,
    overrides: PartialMessage<ContainerConfig> = {},
  ): Promise<string> {
    const behaviour = { [`${simulationAnnotation}/${name}`]: JSON.stringify(program.behaviour) }
    const config: PartialMessage<ContainerConfig> = {
      metadata: { name, attempt: 0 },
      image: { image: this.#harness.underTest.image },
      command: program.command,
      logPath: `${name}.log`,
      labels: { name },
      ...overrides,
      linux: { securityContext: ownProcesses, ...overrides.linux },
      annotations: { ...behaviour, ...overrides.annotations },
    }
    const { containerId } = await this.#harness.runtime.createContainer({
      podSandboxId: this.id,
      config,
      sandboxConfig: this.config,
    })
    return containerId
  }

  /** Creates and starts a container. Returns its id. */
  async start(
    name: string,
    program: ContainerProgram,
    overrides: PartialMessage<ContainerConfig> = {},
  ): Promise<string> {
    const containerId = await this.create(name, program, overrides)
    await this.#harness.runtime.startContainer({ containerId })
    return containerId
  }

  log(name: string): ParsedLogLine[] {
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
