import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '../base/clock.js'
import { systemRandom } from '../base/random.js'
import { thisHost } from '../client/host-access.js'
import type { JsonObject } from '../schema/declaration.js'
import { Kubectl, type KubectlRun, kubectlMissing } from '../testing/kubectl/kubectl.js'
import { startTestApiServer, type TestApiServer } from '../testing/servers/api-server.js'
import type { KubectlEnvironment } from './environment.js'
import { kubectl as ours } from './main.js'
import { realCacheFiles, realFiles, runInForeground } from './real-environment.js'

export interface RunOptions {
  readonly input?: string
  readonly variables?: Readonly<Record<string, string>>
  /** Interrupts our command, like Ctrl-C. */
  readonly interrupt?: AbortSignal
  /** Called with the output of our command while it runs. */
  readonly heard?: (text: string) => void
  /** Replaces text that may differ, in addition to ages, UIDs and revisions. */
  readonly calm?: (text: string) => string
}

/** Runs upstream's kubectl and ours side by side on one server, each with its own home directory and namespace. */
export class KubectlComparison {
  readonly #real: Kubectl
  readonly #server: Pick<TestApiServer, 'kubeconfig'>
  readonly home = mkdtempSync(join(tmpdir(), 'proa-both-'))
  readonly namespaces: readonly [string, string]

  constructor(server: Pick<TestApiServer, 'kubeconfig'>, name: string) {
    this.namespaces = [`${name}-real`, `${name}-ours`]
    this.#server = server
    this.#real = new Kubectl(server, this.namespaces[0])
  }

  async open(): Promise<void> {
    for (const name of this.namespaces) await new Kubectl(this.#server, 'default', this.home).inNewNamespace(name)
  }

  /** Runs upstream's kubectl in `namespaces[0]`. */
  real(args: readonly string[], { input, variables }: RunOptions = {}): Promise<KubectlRun> {
    return this.#real.run(args, { ...(input !== undefined && { input }), ...(variables && { environment: variables }) })
  }

  /** Runs our kubectl in `namespaces[1]`. */
  async ours(
    args: readonly string[],
    { input = '', variables = {}, interrupt, heard }: RunOptions = {},
  ): Promise<KubectlRun> {
    const texts = { stdout: '', stderr: '' }
    const write = (stream: keyof typeof texts) => async (text: string | Uint8Array) => {
      texts[stream] += Buffer.from(text).toString()
      heard?.(Buffer.from(text).toString())
    }
    const environment: KubectlEnvironment = {
      host: {
        ...thisHost(),
        home: this.home,
        variables: { PATH: process.env.PATH, HOME: this.home, KUBECONFIG: this.#server.kubeconfig, ...variables },
      },
      clock: systemClock,
      random: systemRandom(),
      input: (async function* () {
        yield Buffer.from(input)
      })(),
      out: write('stdout'),
      err: write('stderr'),
      pid: process.pid,
      signal: new AbortController().signal,
      interrupts: () => interrupt ?? new AbortController().signal,
      files: realFiles,
      runInForeground: runInForeground,
    }
    const code = await ours([`--namespace=${this.namespaces[1]}`, ...args], environment, realCacheFiles)
    return { code, ...texts }
  }

  /**
   * Runs both and asserts equal output and exit codes, ignoring ages, UIDs and revisions. `@own` in an argument stands for the namespace of
   * each, so that both can have cluster-scoped objects of their own.
   */
  async same(args: readonly string[], options: RunOptions = {}): Promise<KubectlRun> {
    const its = (index: 0 | 1) => args.map((word) => word.replaceAll('@own', this.namespaces[index]))
    const [real, own] = [await this.real(its(0), options), await this.ours(its(1), options)]
    const { calm } = options
    const complaint = difference(this.#calm(real, calm), this.#calm(own, calm))
    if (complaint !== '') assert.fail(`$ kubectl ${args.join(' ')}\n${complaint}`)
    return own
  }

  /** Compares several lines. Runs all of them and reports the differences at the end. */
  async sameLines(lines: string): Promise<void> {
    const complaints: string[] = []
    for (const line of lines.split('\n').map((each) => each.trim()))
      if (line !== '' && !line.startsWith('#'))
        await this.same(words(line)).catch((error: unknown) => complaints.push((error as Error).message))
    if (complaints.length > 0) assert.fail(complaints.join('\n'))
  }

  /** Creates the same objects for both; `@own` as in `same`. */
  async given(...objects: readonly JsonObject[]): Promise<void> {
    const text = objects.map((object) => JSON.stringify(object)).join('\n')
    for (const namespace of this.namespaces) {
      const kubectl = new Kubectl(this.#server, namespace, this.home)
      const input = text.replaceAll('@own', namespace)
      const { code, stderr } = await kubectl.run(['create', '--filename=-'], { input })
      assert.equal(code, 0, stderr)
    }
  }

  /** Creates pods with a status that a kubelet would report. */
  async givenPods(...pods: readonly (JsonObject & { readonly metadata: { readonly name: string } })[]): Promise<void> {
    await this.given(...pods)
    for (const { metadata, status } of pods)
      for (const namespace of this.namespaces) {
        const patch = ['--subresource=status', '--patch', JSON.stringify({ status })]
        const { code, stderr } = await this.real([`--namespace=${namespace}`, 'patch', 'pod', metadata.name, ...patch])
        assert.equal(code, 0, stderr)
      }
  }

  /** Writes a file that both can read. Returns its path. */
  file(name: string, content: string | JsonObject): string {
    const path = join(this.home, name)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return path
  }

  /** Writes a directory of files. Returns its path. */
  folder(name: string, files: Readonly<Record<string, string>>): string {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.home, name, path)), { recursive: true })
      writeFileSync(join(this.home, name, path), content)
    }
    return join(this.home, name)
  }

  close(): void {
    this.#real.close()
    rmSync(this.home, { recursive: true, force: true })
  }

  #calm({ code, stdout, stderr }: KubectlRun, further = (text: string) => text): KubectlRun {
    return { code, stdout: further(this.calmText(stdout)), stderr: further(calmErrors(this.calmText(stderr))) }
  }

  /** Replaces text that differs from run to run. */
  calmText(text: string): string {
    return text
      .replaceAll(this.namespaces[0], 'NAMESPACE')
      .replaceAll(this.namespaces[1], 'NAMESPACE')
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UID')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
      .replace(/"?resourceVersion"?: ?"\d+"/g, 'resourceVersion: REVISION')
      .replace(/\b10\.96\.\d+\.\d+\b */g, 'ADDRESS ')
      .replace(/\b3[012]\d{3}\b/g, 'PORT')
      .replace(/(?<= )(\d+m)?\d+s(?=\s)/g, 'AGE')
      .replace(/NAMESPACE +/g, 'NAMESPACE ')
      .replace(/kube-api-access-\w{5}/g, 'kube-api-access-RANDOM')
  }
}

/** Returns the first difference with some context; '' if there is none. */
function difference(real: KubectlRun, own: KubectlRun): string {
  const parts = (['code', 'stdout', 'stderr'] as const).filter((part) => real[part] !== own[part])
  return parts.map((part) => `  ${part}: ${firstDifference(String(real[part]), String(own[part]))}`).join('\n')
}

function firstDifference(real: string, own: string): string {
  let at = 0
  while (real[at] === own[at]) at++
  const around = (text: string) => JSON.stringify(text.slice(Math.max(at - 80, 0), at + 240))
  return `\n    real ${around(real)}\n    ours ${around(own)}`
}

/** The kubectl on the PATH may be Google's build, which prefixes usage errors differently, or an older version. */
function calmErrors(text: string): string {
  return text
    .replace(/^Error: (?=unknown|flag|invalid|bad)/, 'error: ')
    .replace(/^(?:E\d{4} .*memcache.go|W\d{4} ).*\n/gm, '')
    .replace(/^E\d{4} .*"command failed" err=(".*")$/m, (_, quoted: string) => `error: ${JSON.parse(quoted)}`)
    .replaceAll('cannot delete cannot delete', 'cannot delete')
    .replace(/(?<=Expected resource version to be \d+, was )\d+/, 'REVISION')
}

/** Splits a line into words as a shell does, with quotes. */
export function words(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  )
}

export type BothTest = (both: KubectlComparison, server: TestApiServer) => Promise<void>

/** Registers tests that compare our kubectl with upstream's on one server. */
export function comparisonSuite(
  name: string,
  tests: Readonly<Record<string, BothTest>>,
  start: () => Promise<TestApiServer> = startTestApiServer,
): void {
  describe(name, { skip: kubectlMissing(), concurrency: 2 }, () => {
    let server: TestApiServer
    before(async () => {
      server = await start()
    })
    after(() => server.close())
    for (const [index, [sentence, run]] of Object.entries(tests).entries())
      test(sentence, { timeout: 120_000 }, async () => {
        const both = new KubectlComparison(server, `both-${index}`)
        try {
          await both.open()
          await run(both, server)
        } finally {
          both.close()
        }
      })
  })
}

/** Whether a program is on the PATH. */
export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
}
