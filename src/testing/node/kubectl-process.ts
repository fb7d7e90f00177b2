import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { kubectlMissing } from '../kubectl/kubectl.js'
import { type TestNodeHarness, until } from './node-harness.js'

/** Whose kubectl: ours, or the one on the PATH. */
export type KubectlProgram = 'ours' | 'original'

const proa = fileURLToPath(new URL('../../../bundle/bin/proa.cjs', import.meta.url))

/** Ours, and the original where there is one. */
export function kubectlPrograms(): readonly KubectlProgram[] {
  return kubectlMissing() ? ['ours'] : ['ours', 'original']
}

/** The words that start it. */
export function kubectlWords(program: KubectlProgram, { cluster, namespace }: TestNodeHarness): readonly string[] {
  const own = [`--kubeconfig=${cluster.kubeconfig}`, `--namespace=${namespace}`]
  return program === 'ours' ? [process.execPath, proa, 'kubectl', ...own] : ['kubectl', ...own]
}

export interface KubectlResult {
  readonly code: number
  readonly stderr: string
}

/** A kubectl that goes on until it is stopped. */
export class KubectlProcess {
  readonly #child: ChildProcess
  readonly #exit: Promise<unknown>
  #texts = { stdout: '', stderr: '' }

  constructor(program: KubectlProgram, harness: TestNodeHarness, args: readonly string[]) {
    const [first = '', ...rest] = [...kubectlWords(program, harness), ...args]
    this.#child = spawn(first, rest, { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#exit = once(this.#child, 'close')
    for (const name of ['stdout', 'stderr'] as const)
      this.#child[name]!.setEncoding('utf8').on('data', (piece: string) => {
        this.#texts[name] += piece
      })
  }

  get stdout(): string {
    return this.#texts.stdout
  }

  get stderr(): string {
    return this.#texts.stderr
  }

  /** Waits until it has said something like that. */
  said(pattern: RegExp): Promise<RegExpMatchArray> {
    return until(async () => {
      if (this.#child.exitCode !== null && !pattern.test(this.stdout))
        throw new Error(`it ended without a word like ${pattern}: ${this.stdout}${this.stderr}`)
      return this.stdout.match(pattern) ?? undefined
    })
  }

  type(words: string): void {
    this.#child.stdin!.write(words)
  }

  /** Nothing more is typed. */
  endInput(): void {
    this.#child.stdin!.end()
  }

  async ended(): Promise<KubectlResult> {
    await this.#exit
    return { code: this.#child.exitCode ?? -1, stderr: this.stderr }
  }

  /** Presses Ctrl-C. */
  interrupted(): Promise<KubectlResult> {
    this.#child.kill('SIGINT')
    return this.ended()
  }

  /** Presses it as soon as it has complained like that. */
  async interruptedAfter(complaint: RegExp): Promise<KubectlResult> {
    await until(async () => complaint.test(this.stderr))
    return this.interrupted()
  }

  close(): void {
    this.#child.kill('SIGKILL')
  }
}

export interface StartedKubectls {
  start(program: KubectlProgram, harness: TestNodeHarness, ...args: readonly string[]): KubectlProcess
  /** Ends all of them. */
  close(): void
}

export function startedKubectls(): StartedKubectls {
  const started: KubectlProcess[] = []
  return {
    start(program, harness, ...args) {
      const kubectl = new KubectlProcess(program, harness, args)
      started.push(kubectl)
      return kubectl
    },
    close() {
      for (const each of started) each.close()
    },
  }
}
