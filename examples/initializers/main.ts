/** Runs the initializers that are named, in a pod or with your kubeconfig: `node dist/main.js sidecar long-secrets`. */
import { type Client, clientByKubeconfig } from 'proa/client'
import { runInitializer } from './initializer.js'
import { longSecrets } from './long-secrets.js'
import { sidecar } from './sidecar.js'
import { testCertificates } from './test-certificates.js'

const stopping = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())

const warn = (error: unknown) => void process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
const options = { signal: stopping.signal, warn }

const programs = {
  sidecar: () => runInitializer(connect, sidecar, options),
  'test-certificates': () => runInitializer(connect, testCertificates, options),
  'long-secrets': () => runInitializer(connect, longSecrets, options),
}

await Promise.all(process.argv.slice(2).map(run))

function run(name: string): Promise<void> {
  if (!Object.hasOwn(programs, name))
    throw new Error(`there is no example ${name}: ${Object.keys(programs).join(', ')}`)
  return programs[name as keyof typeof programs]()
}

/** With the usual kubeconfig, or as the service account of its pod. */
function connect(): Promise<Client> {
  return clientByKubeconfig()
}
