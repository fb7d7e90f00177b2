/**
 * compile.js FILE: keeps the form into which Node compiles one of our scripts, as src/base/compiled-script.ts loads it. Only what has run
 * is compiled: each is taken for a walk first.
 */
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { compiledForm, loadCompiled } from '../src/base/compiled-script.js'
import { kubectlCommand as typed } from '../src/bin/kubectl.js'
import { startTestApiServer } from '../src/testing/api-server.js'

type Walk<Exports> = (exports: Exports, folder: string) => Promise<void>

/** The second time it finds in its cache what the first one has learned. */
const walkKubectl: Walk<Pick<typeof import('../src/bin/kubectl.js'), 'kubectlCommand'>> = async (
  { kubectlCommand },
  folder,
) => {
  await using server = await startTestApiServer()
  const line = ['get', 'namespaces', '--kubeconfig', server.kubeconfig, '--cache-dir', folder]
  for (let round = 0; round < 2; round++) expectSuccess(await kubectlCommand(line))
}

/** What clusters are asked for most often: who asks first does not wait for a compiler. */
const firstLines = [
  'create deployment web --image=web --replicas=2',
  'expose deployment web --port=80',
  'wait deployment web --for=create',
  'scale deployment web --replicas=1',
  'set image deployment web web=web:2',
  'label deployment web a=b',
  'patch deployment web --type=json -p [{"op":"remove","path":"/metadata/labels/a"}]',
  'patch service web --type=merge -p {"metadata":{"labels":{"a":"b"}}}',
  'create configmap web --from-literal=a=b',
  'create configmap other --from-literal=a=b --dry-run=server -o yaml',
  'get deployments,replicasets,pods,services,configmaps -o wide',
  'get pods -l app=web -o json',
  'describe deployment web',
  'delete deployment,service,configmap web',
]

/** A cluster from its first start to its end. */
const walkCommands: Walk<typeof import('../src/bin/commands.js')> = async ({ commands }, folder) => {
  const kubeconfig = join(folder, 'kubeconfig')
  const place = ['--data-dir', join(folder, 'data'), '--kubeconfig', kubeconfig, '--port', '0']
  process.env.XDG_STATE_HOME = folder // `proa list` is not to know about it
  const ended = commands.up([...place, '--bind-address', '127.0.0.1', '--runtime', 'none']).then(expectSuccess)
  while (!existsSync(kubeconfig)) await Promise.race([ended, sleep(5)])
  for (const line of firstLines) {
    const words = [...line.split(' '), '--kubeconfig', kubeconfig, '--cache-dir', folder]
    expectSuccess(await typed(words))
  }
  process.emit('SIGTERM')
  await ended
}

const walkTesting: Walk<typeof import('../src/testing/index.js')> = async ({ startCluster }) => {
  await using cluster = await startCluster()
  await cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'first' } })
}

const walks: Readonly<Record<string, Walk<never>>> = {
  'kubectl.script': walkKubectl,
  'kubectl-get.script': walkKubectl,
  'commands.script': walkCommands,
  'testing.script': walkTesting,
}

let heard = ''
const complain = process.stderr.write.bind(process.stderr)

async function main(filename: string): Promise<void> {
  const walk = walks[basename(filename)]
  if (!walk) throw new Error(`compile.js: name one of ${Object.keys(walks).join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'proa-build-'))
  rmSync(compiledForm(filename), { force: true })
  listen()
  try {
    const { script, exports } = loadCompiled<never>(filename)
    await walk(exports, folder)
    // At once: somebody may be starting it.
    writeFileSync(`${compiledForm(filename)}.new`, script.createCachedData())
    renameSync(`${compiledForm(filename)}.new`, compiledForm(filename))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What they say is only told where something goes wrong. */
function listen(): void {
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    heard += chunk
    done()
  }
  for (const name of ['stdout', 'stderr']) Object.defineProperty(process, name, { value: new Writable({ write }) })
}

function expectSuccess(code: number): void {
  if (code !== 0) throw new Error(`it ended with ${code}`)
}

await main(process.argv[2] ?? '').catch((error: unknown) => {
  complain(`${heard}\n${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
})
process.exit(0)
